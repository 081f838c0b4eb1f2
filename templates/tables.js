/* Tables: sorting, filtering, trees, further rows, texts that do not fit, copies. */

const bringers = new WeakMap(); /* of each <noscript> with rows of a table: what brings them */
const TYPING_MS = 120; /* a pause in typing, after which a long table is filtered */
const ROWS_A_TIME = 500, ROWS_TO_FILTER = 15, SHORT_TEXT = 28, ONE_LINE = 12;
const ROWS_FOUND = 50; /* that a filter shows at first */
const PARTS = /.{11,}?(?:[/_,]|:(?!:)|$)|.+/gs; /* a name may be broken into lines between these */

const RUNGS = new Map(Object.values(UNITS).flatMap(([rungs]) => rungs)); /* of each symbol how many of the smallest unit it is */

/* "1,204" → 1204, "<0.1" → a little below 0.1, "3.2 MiB" → its bytes, "9.84 h" → its picoseconds, "–" → below everything; texts stay texts. */
const sortKey = text => {
	const t = text.trim();
	if (t === "–" || t === "") return -Infinity;
	const n = t.replace(/^[▲■✓?–]\s*/, "").replace(/,/g, "").replace("−", "-");
	const below = n.startsWith("<");
	const figure = /^(-?[\d.]+)\s(\S+)$/.exec(n), scale = figure && RUNGS.get(figure[2]);
	if (scale) return Number(figure[1]) * scale;
	const number = Number(below ? n.slice(1) : n);
	return n === "" || Number.isNaN(number) ? t : below ? number * 0.999 : number;
};
const alphabet = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => {
	const numbers = (typeof a === "number") - (typeof b === "number");
	if (numbers) return -numbers;
	return typeof a === "number" ? a - b : alphabet.compare(a, b);
};

/* A name that has no room is cut to what tells it from those that begin as it does. It begins with the earliest part of it from which on there is room
   for the rest, so that its end is seen; no two names are cut alike. */
const PART_BEGIN = /(?<=[/:.\s])[^/:.\s]|(?<=_)\p{L}/gu;
const NAME_LINE_PX = 18; /* as in report.css */
const cutPen = make("canvas").getContext("2d");
const partThatFits = (name, cut, room) => {
	if (!name.endsWith(cut.slice(1))) return cut; /* something is left out of its middle or its end, too */
	for (const { index: from } of name.matchAll(PART_BEGIN)) {
		const part = "…" + name.slice(from);
		if (cutPen.measureText(part).width <= room) return part;
	}
	return cut;
};
const fillCuts = box => {
	const all = [...box.querySelectorAll(".long > [data-cut]")].map(element => ({ element, room: element.clientWidth, high: element.offsetHeight })).filter(({ room }) => room);
	if (!all.length) return;
	const style = getComputedStyle(all[0].element);
	cutPen.font = `${style.fontSize} ${style.fontFamily}`;
	cutPen.letterSpacing = style.letterSpacing;
	/* In two lines, as on a phone, the first may end a letter before its room does. */
	const letter = cutPen.measureText("m").width;
	const cuts = all.flatMap(({ element, room, high }) => {
		const fits = parseFloat(getComputedStyle(element).getPropertyValue("--fits")), lines = Math.floor(fits / NAME_LINE_PX);
		if (high <= fits) return [];
		return { element, name: element.textContent, text: partThatFits(element.textContent, element.dataset.cut, lines < 2 ? room : (room - letter) * lines) };
	});
	/* A name that takes its own cut again may be what another was cut to. */
	for (let alike = cuts; alike.length;) {
		const of = new Map();
		for (const { name, text } of cuts) of.set(text, (of.get(text) || new Set()).add(name));
		alike = cuts.filter(({ element, text }) => of.get(text).size > 1 && text !== element.dataset.cut);
		for (const cut of alike) cut.text = cut.element.dataset.cut;
	}
	for (const { element, text } of cuts) {
		if (text === element.dataset.cut) delete element.dataset.more;
		else element.dataset.more = text;
	}
};

/* The head of a table stays in sight: that of the window where nothing of the table is cut; where it is scrolled sideways, and is higher than
   the window, it is scrolled down in its box as well. */
const TALL_SHARE = 0.85; /* of the window's height, as in report.css */
const fits = new ResizeObserver(entries => {
	const boxes = [...new Set(entries.map(entry => entry.target.closest(".scroll")))].filter(box => box);
	const sizes = boxes.map(box => [box.firstElementChild.offsetWidth <= box.clientWidth + 1, box.firstElementChild.offsetHeight > TALL_SHARE * innerHeight]);
	boxes.forEach((box, i) => {
		const [fit, tall] = sizes[i];
		box.classList.toggle("fits", fit);
		box.classList.toggle("tall", tall && !fit);
		fillCuts(box);
	});
});

/* Marks a text wherever it stands within an element; another call takes the marks away. */
const highlight = (within, text) => {
	if (!window.Highlight) return;
	const ranges = [], walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
	while (text && ranges.length < 1000 && walker.nextNode()) {
		const at = walker.currentNode.data.toLowerCase().indexOf(text);
		if (at < 0) continue;
		const range = new Range();
		range.setStart(walker.currentNode, at);
		range.setEnd(walker.currentNode, at + text.length);
		ranges.push(range);
	}
	CSS.highlights.set("found", new Highlight(...ranges));
};

/* A name that a spreadsheet would take for a formula stays a name. */
const forSheet = text => /^[=+@\t]|^-(?![\d.])/.test(text) ? "'" + text : text;
const quoted = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const FORMS = {
	TSV: list => list.map(row => row.map(forSheet).join("\t")).join("\n") + "\n",
	Markdown: ([head, ...list]) => [head, head.map(() => "---"), ...list]
		.map(row => `| ${row.map(t => t.replace(/[\\|]/g, "\\$&").replaceAll("<", "&lt;")).join(" | ")} |`).join("\n") + "\n",
	CSV: list => list.map(row => row.map(t => quoted(forSheet(t))).join(",")).join("\r\n") + "\r\n",
};
const copies = (box, texts) => {
	const tools = make("div", "copies");
	for (const name of ["TSV", "Markdown", "CSV"]) {
		const button = make("button", undefined, name === "CSV" ? "CSV" : "Copy " + name);
		button.type = "button";
		button.addEventListener("click", async () => {
			const text = FORMS[name](texts());
			if (name === "CSV") return save("\ufeff" + text, "text/csv", box.id.replace(/[^\w.-]+/g, "-") + ".csv");
			await navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed here"; });
			setTimeout(() => { button.textContent = "Copy " + name; }, 1500);
		});
		tools.append(button);
	}
	box.append(tools);
};

/* One table: its parts, its rows in their first order, and which of them the reader asks for in which order. */
const tableOf = box => {
	const element = box.querySelector("table"), head = all("thead th", element);
	const offset = head[0].classList.contains("n") ? 1 : 0, isTree = element.classList.contains("tree");
	const t = { box, element, head, offset, isTree, open: element.tBodies[0], rest: element.tBodies[1], column: -1, direction: 0, wanted: "" };
	t.depthOf = row => Number((headingOf(t, row).className.match(/\bin(\d+)/) || [0, 0])[1]);
	t.rows = all("tbody tr", element).map((tr, index) => ({ tr, index, depth: isTree ? t.depthOf(tr) : 0, texts: null }));
	t.limit = t.rows.length;
	t.foundLimit = ROWS_FOUND;
	t.openCount = t.open ? t.open.rows.length : 0;
	Object.assign(t, { list: t.rows.slice(), laid: t.rows.length, laidOpen: t.openCount });
	return t;
};
const headingOf = (t, row) => row.cells[t.offset];
const cells = (t, row) => row.texts || (row.texts = [...row.tr.cells].slice(t.offset).map(c => c.textContent));
const words = (t, row) => row.words || (row.words = cells(t, row).join(" ").toLowerCase());

/* Rows that came as data become elements in the likeness of the first row. */
const elementOf = (t, row) => {
	if (row.tr) return row.tr;
	row.tr = make("tr");
	for (const [i, like] of [...t.rows[0].tr.cells].entries()) {
		const cell = make(like.tagName, like.className);
		if (like.scope) cell.scope = like.scope;
		if (t.isTree && i === t.offset) cell.className = cell.className.replace(/\bin\d+/, "in" + row.depth);
		const text = i < t.offset ? String(row.index + 1) : row.texts[i - t.offset];
		const isLong = text.length > SHORT_TEXT && like.classList.contains("x"), isName = like.querySelector(".op");
		const inner = i >= t.offset && (isName || isLong) ? make("span", (isName ? "op" : "") + (isLong ? " long" : "")) : cell;
		if (like.classList.contains("x")) cell.classList.toggle("b", !isLong && text.length > ONE_LINE);
		if (isLong) { cell.classList.add("w"); inner.tabIndex = -1; }
		(isName ? text.match(PARTS) || [] : [text]).forEach((part, n) => inner.append(...n ? [make("wbr"), part] : [part]));
		if (inner !== cell) cell.append(inner);
		row.tr.append(cell);
	}
	return row.tr;
};

/* Rows in the order asked for: sums stay last, and a tree keeps its children below their parents. */
const sorted = (t, list) => {
	if (t.column < 0) return list;
	const keys = new Map(list.map(row => [row, sortKey(cells(t, row)[t.column])]));
	const order = (a, b) => t.direction * compare(keys.get(a), keys.get(b)) || a.index - b.index;
	if (!t.isTree) {
		const isTotal = row => row.tr && row.tr.className === "tot";
		return [...list.filter(row => !isTotal(row)).sort(order), ...list.filter(isTotal)];
	}
	const roots = [], stack = [], flat = [];
	for (const row of list) {
		row.children = [];
		while (stack.length && stack[stack.length - 1].depth >= row.depth) stack.pop();
		(stack.length ? stack[stack.length - 1].children : roots).push(row);
		stack.push(row);
	}
	const walk = level => level.sort(order).forEach(row => { flat.push(row); walk(row.children); });
	walk(roots);
	return flat;
};
/* Rows that match what is looked for; without another order those come first that have it in their name. */
const matching = t => {
	if (!t.wanted) return sorted(t, t.rows.slice());
	const list = t.rows.filter(row => words(t, row).includes(t.wanted));
	if (t.column >= 0 || t.isTree) return sorted(t, list);
	const inName = row => cells(t, row)[0].toLowerCase().includes(t.wanted);
	return [...list.filter(inName), ...list.filter(row => !inName(row))];
};

/* Folded rows of a large page are one text until they are wanted. Returns how many there are, but for totals. */
const later = t => {
	const kept = t.box.querySelector(":scope > .later noscript");
	t.bring = () => {
		if (!kept || t.rest) return;
		const made = make("template");
		made.innerHTML = kept.textContent;
		t.rest = made.content.querySelector("tbody");
		t.rows.splice(t.openCount, 0, ...[...t.rest.rows].map(tr => ({ tr, depth: 0, texts: null })));
		t.rows.forEach((row, index) => { row.index = index; });
		t.limit += t.rest.rows.length;
		t.element.append(t.rest);
		if (t.laid === t.list.length) { t.list = t.rows.filter(row => row.tr); t.laid = t.list.length; }
		kept.parentElement.remove();
	};
	if (!kept) return 0;
	bringers.set(kept, t.bring);
	t.box.querySelector("input.more").addEventListener("change", t.bring);
	return parseInt(t.box.querySelector("label.more").textContent, 10) - kept.textContent.split('<tr class="tot').length + 1;
};

/* Rows that came as data, a button for more of them at a time. */
const further = t => {
	const data = t.box.querySelector("script.rows"), list = data ? JSON.parse(data.textContent) : [], note = t.box.querySelector(".data-note");
	for (const [depth, ...texts] of list) t.rows.push({ tr: null, index: t.rows.length, depth, texts });
	t.next = make("button", "next");
	t.next.type = "button";
	t.next.addEventListener("click", () => {
		t[t.wanted ? "foundLimit" : "limit"] += ROWS_A_TIME;
		show(t);
	});
	if (list.length) note.replaceWith(t.next);
	else t.element.parentElement.after(t.next);
	tellNext(t, list.length);
};
const tellNext = (t, hidden) => {
	t.next.hidden = hidden === 0;
	t.next.textContent = hidden <= ROWS_A_TIME ? (hidden === 1 ? "Show 1 further row" : `Show ${hidden} further rows`) : `Show ${ROWS_A_TIME} of ${hidden.toLocaleString("en")} further rows`;
};

const show = t => {
	if (t.wanted || t.column >= 0) t.bring();
	const list = matching(t), visible = list.slice(0, t.wanted ? t.foundLimit : t.limit);
	const open = t.wanted || !t.rest ? visible.length : t.openCount;
	lay(t, visible, open);
	tellNext(t, list.length - visible.length);
};

/* Figures are sorted from the largest at first, texts from A. */
const sortBy = (t, th) => {
	const was = th.getAttribute("aria-sort"), first = th.classList.contains("r") ? "descending" : "ascending";
	const now = !was ? first : was === "descending" ? "ascending" : "descending";
	t.head.forEach(h => h.removeAttribute("aria-sort"));
	th.setAttribute("aria-sort", now);
	t.column = t.head.indexOf(th) - t.offset;
	t.direction = now === "ascending" ? 1 : -1;
	show(t);
};
const sorting = t => {
	for (const th of t.head) {
		const label = th.querySelector(".h");
		if (!label) continue;
		/* Laid over the heading, whose text stays what it is: browsers leave buttons out of heads repeated on paper. */
		const button = make("button", "sort");
		button.type = "button";
		button.setAttribute("aria-label", "Sort by " + label.textContent);
		button.addEventListener("click", () => sortBy(t, th));
		th.append(button);
	}
	roving(t.element.tHead, "button.sort", "ArrowLeft", "ArrowRight");
};

/* What is compared with what is typed, piece by piece. */
const prepare = (t, from) => {
	const next = from + ROWS_A_TIME;
	t.rows.slice(from, next).forEach(row => words(t, row));
	if (next < t.rows.length) setTimeout(prepare, 0, t, next);
};
const filtering = (t, count) => {
	if (count <= ROWS_TO_FILTER) return;
	const find = make("input", "find");
	let pause;
	const filter = () => {
		t.wanted = find.value.trim().toLowerCase();
		t.foundLimit = ROWS_FOUND;
		t.element.classList.toggle("filtered", t.wanted !== "");
		show(t);
		highlight(t.open, t.wanted);
	};
	find.type = "search";
	find.placeholder = `Filter ${count.toLocaleString("en")} rows`;
	find.setAttribute("aria-label", find.placeholder);
	find.addEventListener("focus", () => {
		t.bring();
		prepare(t, 0);
	}, { once: true });
	find.addEventListener("focus", () => { t.after = setTimeout(trim, 0, t); });
	find.addEventListener("input", () => {
		clearTimeout(pause);
		if (count > ROWS_A_TIME) pause = setTimeout(filter, TYPING_MS);
		else filter();
	});
	t.box.prepend(find);
};

/* The head and all rows that match, as the table shows them. */
const textsOf = t => {
	t.bring();
	const line = text => text.replace(/\s+/g, " ").trim();
	const heads = t.head.slice(t.offset).map(th => line(th.innerText.replace(/[▾▴]/g, "")));
	return [heads, ...matching(t).map(row => cells(t, row).map(line))];
};

/* After cells of a table were told anew: what is sorted, filtered and copied is what they say now. */
const tables = new WeakMap();
const retold = box => {
	const t = tables.get(box);
	if (!t) return;
	for (const row of t.rows) if (row.tr) row.texts = row.words = null;
	if (t.column >= 0 || t.wanted) show(t);
};

const table = box => {
	const t = tableOf(box);
	if (!t.open) return;
	tables.set(box, t);
	const keptCount = later(t);
	further(t);
	sorting(t);
	filtering(t, t.rows.filter(row => !row.tr || row.tr.className !== "tot").length + keptCount);
	copies(box, () => textsOf(t));
	fits.observe(t.element);
	fits.observe(t.element.parentElement);
	if (box.dataset.life) lifetimes(box, t.element, t.offset);
	if (t.isTree) tree(t);
	roving(t.element, "button.tw, tbody a, .long:not(a .long)", "ArrowUp", "ArrowDown");
};

/* A tree's rows open and shut by a button before their name; the deep ones of some are shut at first. */
const tree = t => {
	const { element: body, depthOf } = t, rows = t.rows.filter(r => r.tr).map(r => r.tr), heading = row => headingOf(t, row);
	const deep = rows.filter(row => row.classList.contains("deep"));
	const openDepth = deep.length ? Math.min(...deep.map(depthOf)) - 1 : Infinity;
	const allDeep = t.box.querySelector("input.deep");
	for (const row of rows) {
		const sign = heading(row).querySelector(".tw:not(.leaf)");
		if (!sign) continue;
		const twist = make("button", "tw");
		twist.type = "button";
		twist.setAttribute("aria-expanded", String(depthOf(row) < openDepth));
		twist.setAttribute("aria-label", "Rows below " + heading(row).textContent.trim());
		sign.replaceWith(twist);
	}
	const shut = () => {
		all("tr.card", body).forEach(card => card.remove());
		let shutBelow = Infinity;
		for (const row of all("tbody tr", body)) {
			const depth = depthOf(row), button = heading(row).querySelector("button.tw");
			if (depth <= shutBelow) shutBelow = Infinity;
			row.classList.toggle("shut", depth > shutBelow);
			if (shutBelow === Infinity && button && button.getAttribute("aria-expanded") === "false") shutBelow = depth;
		}
	};
	if (allDeep) {
		deep.forEach(row => row.classList.remove("deep"));
		shut();
		allDeep.addEventListener("change", () => {
			for (const row of rows) {
				const button = heading(row).querySelector("button.tw");
				if (button) button.setAttribute("aria-expanded", String(allDeep.checked || depthOf(row) < openDepth));
			}
			shut();
		});
	}
	body.addEventListener("click", event => {
		const twist = event.target.closest("button.tw");
		if (!twist) return;
		twist.setAttribute("aria-expanded", String(twist.getAttribute("aria-expanded") !== "true"));
		shut();
	});
};
