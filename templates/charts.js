/* Charts that answer: tooltips, lifetimes of buffers, heat maps by step, channels; and memory of a range of steps. They read the report
   that the page holds. */

/* The tooltip of marks: at once and in the page's own type, instead of the browser's. */
const tooltips = () => {
	const tip = make("div", "tip");
	tip.hidden = true;
	document.body.append(tip);
	document.addEventListener("pointerover", event => {
		const mark = event.target.closest && event.target.closest("svg rect, svg circle, svg text");
		const title = mark && mark.querySelector(":scope > title");
		if (title) { mark.dataset.tip = title.textContent; title.remove(); }
		const text = mark && mark.dataset.tip;
		tip.hidden = !text;
		if (!text) return;
		tip.textContent = text;
		const box = mark.getBoundingClientRect();
		const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
		const above = box.top - tip.offsetHeight - 6;
		tip.style.left = left + scrollX + "px";
		tip.style.top = (above > 4 ? above : box.bottom + 6) + scrollY + "px";
	});
};

/* The whole report, as the page holds it: JSON in gzip in base64. Rows that do not fit are not there. */
const reportText = () => {
	const packed = Uint8Array.from(atob(document.getElementById("report-json").textContent), c => c.charCodeAt(0));
	return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
let held;
const report = () => held || (held = reportText().then(JSON.parse));
const blockOf = (whole, id) => {
	const find = blocks => {
		for (const b of blocks || []) {
			const found = b.id === id ? b : find(b.blocks);
			if (found) return found;
		}
	};
	return find(whole.sections);
};

const mark = (name, attributes, text) => {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	if (text) element.textContent = text;
	return element;
};

/* Pointing at a buffer's row, or moving to it by keyboard, shows when it is live on the curve above. */
const lifetimes = (box, element, offset) => {
	const [start, end, kind, ...id] = box.dataset.life.split(" ");
	const figure = document.getElementById(id.join(" "));
	if (!figure) return;
	const [points, used, height] = figure.dataset.axis.split(" ").map(Number);
	const svg = figure.querySelector(".plot > svg");
	const shown = [];
	const hide = () => shown.splice(0).forEach(e => e.remove());
	const show = row => {
		hide();
		const cell = at => row.cells[Number(at) + offset].textContent;
		const from = sortKey(cell(start)), to = sortKey(cell(end));
		if (!(from >= 0 && to >= from)) return;
		const always = cell(kind) !== "temporary" && from === 0 && to === points - 1;
		const left = always ? 0 : (from + 1) / points * used;
		const right = always ? used : Math.min(to + 1, points) / points * used;
		const name = row.cells[offset].textContent;
		shown.push(mark("rect", { class: "life", x: left * 100 + "%", width: Math.max(right - left, 0.002) * 100 + "%", height }),
			mark("text", left < 0.5 ? { class: "halo w6", x: left * 100 + "%", dx: 4, y: -4 } :
				{ class: "halo w6 end", x: right * 100 + "%", dx: -4, y: -4 }, name.length > 48 ? name.slice(0, 47) + "…" : name));
		svg.append(...shown);
	};
	const rowOf = event => event.target.closest("tbody tr");
	for (const kind of ["pointerover", "focusin"]) element.addEventListener(kind, event => { const row = rowOf(event); if (row) show(row); });
	for (const kind of ["pointerleave", "focusout"]) element.addEventListener(kind, hide);
	roving(element, "tbody tr", "ArrowUp", "ArrowDown");
};

/* A heat map's cells: their rectangles, in the order in which the report names them; likewise the figures in them, then places. */
const cellsOf = (figure, block) => {
	const boxes = all(".plot rect[class^=h]", figure), texts = all(".plot text.cell", figure), count = block ? block.cells.length : 0;
	return block ? block.cells.map((cell, i) => ({ label: cell.label, value: cell.value, box: boxes[i], figure: texts[i], place: texts[count + i] })) : [];
};
const say = (box, text) => {
	const title = box.querySelector(":scope > title");
	if (title) title.textContent = text;
	else box.dataset.tip = text;
};
const said = box => box.dataset.tip || (box.querySelector(":scope > title") || {}).textContent || "";

/* The figure in a cell, in the unit and with the decimals that it was drawn with; on the darkest step it is paper. */
const refigure = ({ value, figure, place, drawn }, now, darkest) => {
	if (!figure) return;
	const scale = value > 0 ? 10 ** Math.round(Math.log10(Number(drawn.replaceAll(",", "")) / value)) : 1;
	figure.textContent = now === undefined ? drawn : (now * scale).toFixed((drawn.split(".")[1] || "").length);
	for (const text of place ? [figure, place] : [figure]) {
		text.classList.toggle("f-paper", darkest);
		text.classList.toggle("f-ink", !darkest);
	}
};

/* A distributed run's heat maps show the step that the reader chooses, in the colours of the mean step. */
const steps = async within => {
	const figures = all("figure[id^='distributed/map']", within);
	if (!figures.length) return;
	const whole = await report(), table = blockOf(whole, "distributed/each-step");
	if (!table || !table.rows.length) return;
	const rows = new Map();
	for (const { cells } of table.rows) {
		const name = cells.step.value;
		if (!rows.has(name)) rows.set(name, []);
		rows.get(name).push(cells);
	}
	/* A step whose cores are not all held here cannot be drawn. */
	const cores = blockOf(whole, "distributed/cores"), units = cores.rows.length + (cores.left_out || 0);
	const choice = make("select");
	choice.append(new Option("mean of all steps", ""));
	for (const [name, of] of rows) if (of.length === units) choice.append(new Option("step " + name, name));
	if (choice.length < 2) return;
	const label = make("label", "choice", "Heat maps show the ");
	label.append(choice);
	const maps = figures.map(figure => {
		const block = blockOf(whole, figure.id);
		const cells = cellsOf(figure, block).map(cell => ({ ...cell, was: cell.box.getAttribute("class"), words: said(cell.box), drawn: cell.figure ? cell.figure.textContent : "" }));
		const key = figure.id === "distributed/map" ? "own_ms" : figure.id.replace("distributed/map-", "") + "_ms";
		return { block, cells, key };
	});
	const show = name => {
		for (const { block, cells, key } of maps) {
			const now = new Map();
			for (const row of name ? rows.get(name) : []) {
				const value = row[key].value;
				for (const label of [row.core && row.core.value, row.chip && "chip " + row.chip.value, row.host.value])
					if (label) now.set(label, Math.max(now.get(label) || 0, value));
			}
			for (const cell of cells) {
				const { label, box, was, words } = cell;
				const value = now.get(label);
				const step = Math.floor(7 * (value - block.low) / (block.high - block.low));
				box.setAttribute("class", value === undefined ? was : "h" + Math.min(6, Math.max(0, step)));
				refigure(cell, value, box.getAttribute("class") === "h6");
				say(box, value === undefined ? words : `${label}: ${value.toPrecision(3)} ms in step ${name}`);
			}
		}
	};
	choice.addEventListener("change", () => show(choice.value));
	figures[0].before(label);
};

const UNITS = Object.keys(SIZES);
const sized = bytes => {
	let x = Math.abs(bytes), unit = 0;
	while (x >= 1024 && unit < 4) { x /= 1024; unit++; }
	const digits = unit === 0 || x >= 999.5 ? String(Math.round(x)) : x.toPrecision(3);
	return (bytes < 0 ? "−" : "") + digits.replace(/\B(?=(\d{3})+$)/, ",") + "\u202f" + UNITS[unit];
};

const sum = (list, key) => list.reduce((total, cells) => total + cells[key].value, 0);

/* A table of the operators of some steps, the largest first. */
const addedUp = (caption, columns, rows, like, nameClass) => {
	const list = make("table", like.className), head = list.createTHead().insertRow(), body = list.createTBody(), by = new Map();
	for (const cells of rows) {
		if (!by.has(cells.operator.value)) by.set(cells.operator.value, []);
		by.get(cells.operator.value).push(cells);
	}
	list.prepend(make("caption", undefined, caption));
	columns.forEach((column, i) => {
		const th = make("th", i ? "r" : "x", column.title);
		th.scope = "col";
		head.append(th);
	});
	for (const [operator, of] of [...by].sort((a, b) => sum(b[1], "self_allocated_bytes") - sum(a[1], "self_allocated_bytes"))) {
		const textOf = column => column.unit === "bytes" ? sized(sum(of, column.key)) : sum(of, column.key).toLocaleString("en");
		body.insertRow().append(...columns.map((column, i) => i ? make("td", "r", textOf(column)) : make("td", nameClass, operator)));
	}
	const scroll = make("div", "scroll sum");
	scroll.append(list);
	return scroll;
};

/* Memory of a range of steps that the reader chooses: each step's operators added up, where the page holds all of them. */
const memory = async within => {
	const boxes = all("[id^='torch-memory/of/'][id$='/step-operators/table']", within);
	const whole = boxes.length && await report();
	for (const box of boxes) {
		const parts = blockOf(whole, box.id), each = blockOf(whole, box.id.replace("/step-operators/", "/steps/"));
		if (!parts || !each || parts.left_out || each.left_out) continue;
		const steps = each.rows.map(row => row.cells);
		const rows = steps.map(step => parts.rows.map(row => row.cells).filter(cells => cells.step.value === step.step.value));
		if (steps.length < 2 || steps.some((step, i) => step.allocated_bytes.value !== sum(rows[i], "self_allocated_bytes"))) continue;
		const from = make("select"), to = make("select"), label = make("label", "", "Add up from "), other = make("span", undefined, " to ");
		from.append(new Option("none", ""));
		for (const { step } of steps) for (const choice of [from, to]) choice.append(new Option("step " + step.value, step.value));
		to.selectedIndex = steps.length - 1;
		to.setAttribute("aria-label", "the last of them");
		other.append(to);
		label.append(from);
		const line = make("div", "choice");
		line.append(label, other);
		const columns = parts.columns.filter(column => column.key !== "step");
		const like = box.querySelector("table"), nameClass = (box.querySelector("tbody td, tbody th") || {}).className || "x";
		const show = () => {
			const old = line.nextElementSibling, first = Math.min(from.selectedIndex - 1, to.selectedIndex);
			const last = Math.max(from.selectedIndex - 1, to.selectedIndex);
			if (old && old.classList.contains("sum")) old.remove();
			if (!from.value) return;
			const chosen = steps.slice(first, last + 1), [start, end] = [chosen[0], chosen[chosen.length - 1]];
			const peak = chosen.some(step => step.peak_bytes.value === null) ? "" :
				`: peak ${sized(Math.max(...chosen.map(step => step.peak_bytes.value)))}, grew by ${sized(end.end_bytes.value - start.start_bytes.value)}`;
			const caption = `Steps ${start.step.value} to ${end.step.value}${peak}, ${sized(sum(chosen, "allocated_bytes"))} allocated`;
			line.after(addedUp(caption, columns, rows.slice(first, last + 1).flat(), like, nameClass));
		};
		from.addEventListener("change", show);
		to.addEventListener("change", show);
		box.before(line);
	}
};

/* The row of a channel that is pointed at or has the focus is drawn on the map of cores. */
const channels = async within => {
	const figure = within.querySelector("[id='distributed/link-map']");
	const box = document.getElementById("distributed/links");
	if (!figure || !box) return;
	const whole = await report(), table = blockOf(whole, "distributed/links");
	const cells = new Map(cellsOf(figure, blockOf(whole, figure.id)).map(cell => [cell.label, cell.box]));
	const svg = figure.querySelector(".plot > svg"), drawn = [];
	const [from, to] = ["source", "target"].map(key => table.columns.findIndex(c => c.key === key) + (table.numbered ? 1 : 0));
	const draw = row => {
		drawn.splice(0).forEach(e => e.remove());
		const ends = row && [from, to].map(i => cells.get(row.cells[i].textContent.trim()));
		if (!ends || !ends[0] || !ends[1]) return;
		const [a, b] = ends.map(e => {
			const r = e.getBBox();
			return [r.x + r.width / 2, r.y + r.height / 2];
		});
		drawn.push(mark("line", { class: "link", x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
			mark("circle", { class: "link", r: 5, cx: b[0], cy: b[1] }));
		svg.append(...drawn);
	};
	const rowOf = event => event.target.closest("tbody tr");
	for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, event => draw(rowOf(event)));
	for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => draw(null));
	roving(box, "tbody tr", "ArrowUp", "ArrowDown");
};
