/* Very many rows in a box that is scrolled: only those in sight are elements. */

const ROW_PX = 27, LIST_PX = 378, ROWS_BESIDE = 6;

/* The rows of a table of the report as cells by column: those that the report holds, or all, where the page has them packed. */
const packedRows = async data => {
	const columns = Object.entries(JSON.parse(await unpacked(data.textContent)));
	const valuesOf = column => Array.isArray(column) ? column : column.at.map(at => at < 0 ? null : column.words[at]);
	const rows = [];
	for (const [key, column] of columns) valuesOf(column).forEach((value, i) => { (rows[i] = rows[i] || {})[key] = { value }; });
	return rows;
};
const rowsOf = async block => {
	const box = block.left_out ? targetOf("#" + block.id) : null, data = box && box.querySelector("script.columns");
	return data ? packedRows(data) : block.rows.map(({ cells }) => cells);
};

const symbolOf = unit => (UNITS[unit][0].find(([, scale]) => scale === UNITS[unit][1]) || [""])[0];
const headOf = ({ title, unit, shown_in: other, decimals }) => unit && (other || decimals !== undefined) ? `${title}, ${symbolOf(other || unit)}` : title;

const longList = (id, caption, columns, rows) => {
	const box = make("div", "tb list"), element = make("table", "t"), head = element.createTHead().insertRow(), body = element.createTBody();
	const find = make("input", "find"), drawn = {}, names = columns.filter(column => !column.unit);
	let wanted = rows, px = ROW_PX;
	box.id = id;
	element.prepend(make("caption", undefined, caption));
	for (const column of columns) {
		const th = make("th", column.unit ? "r" : "x", headOf(column));
		th.scope = "col";
		head.append(th);
	}
	const scroll = scrolled(element, "rows");
	const textsIn = cells => columns.map(column => textOf(cells[column.key], column));
	const gap = count => {
		const row = make("tr", "gap"), cell = make("td");
		row.setAttribute("aria-hidden", "true");
		cell.colSpan = columns.length;
		cell.style.height = count * px + "px";
		row.append(cell);
		return row;
	};
	const elementFor = (cells, index) => {
		const row = make("tr");
		row.setAttribute("aria-rowindex", index + 2);
		row.append(...textsIn(cells).map((text, i) => make("td", columns[i].unit ? "r" : "x", text)));
		return row;
	};
	const draw = () => {
		const from = Math.max(0, Math.min(wanted.length, Math.floor(scroll.scrollTop / px)) - ROWS_BESIDE);
		const to = Math.min(wanted.length, from + Math.ceil((scroll.clientHeight || LIST_PX) / px) + 2 * ROWS_BESIDE);
		if (drawn.of === wanted && drawn.from === from && drawn.to === to) return;
		Object.assign(drawn, { of: wanted, from, to });
		body.replaceChildren(gap(from), ...wanted.slice(from, to).map((cells, i) => elementFor(cells, from + i)), gap(wanted.length - to));
		if (to > from && body.rows[1].offsetHeight) px = body.rows[1].offsetHeight;
	};
	const filter = () => {
		const text = find.value.trim().toLowerCase();
		wanted = text ? rows.filter(cells => names.some(({ key }) => told(cells[key].value).toLowerCase().includes(text))) : rows;
		element.setAttribute("aria-rowcount", wanted.length + 1);
		element.caption.textContent = text ? `${caption}: ${wanted.length.toLocaleString("en")} match` : caption;
		scroll.scrollTop = 0;
		draw();
	};
	let pause;
	find.type = "search";
	find.placeholder = `Filter ${rows.length.toLocaleString("en")} rows`;
	find.setAttribute("aria-label", find.placeholder);
	find.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(filter, TYPING_MS); });
	scroll.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
	if (rows.length > ROWS_TO_FILTER) box.append(find);
	box.append(scroll);
	copies(box, () => [columns.map(headOf), ...wanted.map(textsIn)]);
	filter();
	return box;
};

/* A table that has all its rows packed: the rest of them follows in a list, made when it comes in sight. */
const longLists = within => {
	for (const data of all(".tb > script.columns", within)) {
		const box = data.parentElement, note = box.querySelector(".data-note"), seen = new IntersectionObserver(async entries => {
			if (!entries.some(entry => entry.isIntersecting)) return;
			seen.disconnect();
			const block = blockOf(await report(), box.id), rows = await packedRows(data);
			note.replaceWith(longList(box.id + "--all", `All rows: ${block.caption}`, block.columns, rows));
		});
		seen.observe(note);
	}
};
