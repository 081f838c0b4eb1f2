/* Enhances the page; everything is there without it. Sorting, filtering, opening trees, further rows, tooltips, the rail's
   marker, links to sections, and saving the report that the page holds. */
"use strict";
(() => {
	const make = (name, className, text) => {
		const element = document.createElement(name);
		if (className) element.className = className;
		if (text !== undefined) element.textContent = text;
		return element;
	};
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const bringers = new WeakMap(); /* of each <noscript> with rows of a table: what brings them */
	const TYPING_MS = 120; /* a pause in typing, after which a long table is filtered */
	const ROWS_A_TIME = 500, ROWS_TO_FILTER = 15, SHORT_TEXT = 28;
	const PARTS = /.{11,}?(?:[/_,]|:(?!:)|$)|.+/gs; /* a name may be broken into lines between these */

	const SIZES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

	/* "1,204" → 1204, "<0.1" → a little below 0.1, "3.2 MiB" → its bytes, "–" → below everything; texts stay texts. */
	const sortKey = text => {
		const t = text.trim();
		if (t === "–" || t === "") return -Infinity;
		const n = t.replace(/^[▲■✓?–]\s*/, "").replace(/,/g, "").replace("−", "-");
		const below = n.startsWith("<");
		const size = /^(-?[\d.]+)\s([KMGT]?i?B)$/.exec(n);
		if (size && SIZES[size[2]]) return Number(size[1]) * SIZES[size[2]];
		const number = Number(below ? n.slice(1) : n);
		return n === "" || Number.isNaN(number) ? t : below ? number * 0.999 : number;
	};
	const compare = (a, b) => {
		const numbers = (typeof a === "number") - (typeof b === "number");
		if (numbers) return -numbers;
		return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
	};

	/* Of elements of a kind within another, the tab key reaches one; from there arrows go on. So a table is passed by a few keys. */
	const roving = (within, selector, before, after) => {
		const reach = wanted => all(selector, within).forEach((e, i) => { e.tabIndex = (wanted ? e === wanted : i === 0) ? 0 : -1; });
		reach();
		within.addEventListener("focusin", event => { if (event.target.matches(selector)) reach(event.target); });
		within.addEventListener("keydown", event => {
			if (!event.target.matches(selector) || ![before, after].includes(event.key)) return;
			const list = all(selector, within).filter(e => e.getClientRects().length);
			const next = list[list.indexOf(event.target) + (event.key === after ? 1 : -1)];
			if (!next) return;
			event.preventDefault();
			next.focus();
		});
	};

	/* The head of a table stays in sight where nothing of the table is cut: what scrolls sideways cannot let it. */
	const fits = new ResizeObserver(entries => {
		const boxes = [...new Set(entries.map(entry => entry.target.closest(".scroll")))].filter(box => box);
		const fit = boxes.map(box => box.firstElementChild.offsetWidth <= box.clientWidth + 1);
		boxes.forEach((box, i) => box.classList.toggle("fits", fit[i]));
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

	const save = (text, type, name) => {
		const link = make("a");
		link.href = URL.createObjectURL(new Blob([text], { type }));
		link.download = name;
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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

	/* One table: rows stand in their first order, and are moved when the reader asks for another. */
	const table = box => {
		const element = box.querySelector("table");
		const head = all("thead th", element);
		const open = element.tBodies[0];
		let rest = element.tBodies[1];
		if (!open) return;
		const openCount = open.rows.length;
		const offset = head[0].classList.contains("n") ? 1 : 0;
		const isTree = element.classList.contains("tree");
		const heading = row => row.cells[offset];
		const depthOf = row => Number((heading(row).className.match(/\bin(\d+)/) || [0, 0])[1]);
		let rows = all("tbody tr", element).map((tr, index) =>
			({ tr, index, depth: isTree ? depthOf(tr) : 0, texts: null }));
		const data = box.querySelector("script.rows");
		const dataRows = data ? JSON.parse(data.textContent) : [];
		let column = -1, direction = 0, wanted = "", limit = rows.length;

		const words = row => row.words || (row.words = cells(row).join(" ").toLowerCase());
		/* Rows whose name has what is looked for come before those that have it elsewhere. */
		const named = list => {
			const inName = row => cells(row)[0].toLowerCase().includes(wanted);
			return [...list.filter(inName), ...list.filter(row => !inName(row))];
		};
		const cells = row => row.texts || (row.texts = [...row.tr.cells].slice(offset).map(c => c.textContent));
		for (const [depth, ...texts] of dataRows)
			rows.push({ tr: null, index: rows.length, depth, texts });

		/* Rows that came as data become elements in the likeness of the first row. */
		const elementOf = row => {
			if (row.tr) return row.tr;
			row.tr = make("tr");
			for (const [i, like] of [...rows[0].tr.cells].entries()) {
				const cell = make(like.tagName, like.className);
				if (like.scope) cell.scope = like.scope;
				if (isTree && i === offset) cell.className = cell.className.replace(/\bin\d+/, "in" + row.depth);
				const text = i < offset ? String(row.index + 1) : row.texts[i - offset];
				const isLong = text.length > SHORT_TEXT && like.classList.contains("x"), isName = like.querySelector(".op");
				const inner = i >= offset && (isName || isLong) ? make("span", (isName ? "op" : "") + (isLong ? " long" : "")) : cell;
				if (isLong) { cell.classList.add("w"); inner.tabIndex = -1; }
				(isName ? text.match(PARTS) || [] : [text]).forEach((part, n) => inner.append(...n ? [make("wbr"), part] : [part]));
				if (inner !== cell) cell.append(inner);
				row.tr.append(cell);
			}
			return row.tr;
		};

		/* Sorts siblings; a tree keeps its children below their parents. */
		const sorted = list => {
			if (column < 0) return list;
			const order = (a, b) => direction * compare(sortKey(cells(a)[column]), sortKey(cells(b)[column])) || a.index - b.index;
			if (!isTree) {
				const totals = list.filter(r => r.tr && r.tr.className === "tot");
				return list.filter(r => !totals.includes(r)).sort(order).concat(totals);
			}
			const roots = [], stack = [];
			for (const row of list) {
				row.children = [];
				while (stack.length && stack[stack.length - 1].depth >= row.depth) stack.pop();
				(stack.length ? stack[stack.length - 1].children : roots).push(row);
				stack.push(row);
			}
			const flat = [];
			const walk = level => level.sort(order).forEach(row => { flat.push(row); walk(row.children); });
			walk(roots);
			return flat;
		};

		/* Folded rows of a large page are one text until they are wanted. */
		const kept = box.querySelector(":scope > .later noscript");
		const keptCount = kept ? parseInt(box.querySelector("label.more").textContent, 10) : 0;
		const bring = () => {
			if (!kept || rest) return;
			const made = make("template");
			made.innerHTML = kept.textContent;
			rest = made.content.querySelector("tbody");
			rows.splice(openCount, 0, ...[...rest.rows].map(tr => ({ tr, depth: 0, texts: null })));
			rows.forEach((row, index) => { row.index = index; });
			limit += rest.rows.length;
			element.append(rest);
			kept.parentElement.remove();
		};
		if (kept) {
			bringers.set(kept, bring);
			box.querySelector("input.more").addEventListener("change", bring);
		}

		const next = make("button", "next");
		const note = box.querySelector(".data-note");
		const show = () => {
			if (wanted || column >= 0) bring();
			const matching = wanted ? rows.filter(r => words(r).includes(wanted)) : rows;
			const list = wanted && column < 0 && !isTree ? named(matching) : sorted(matching.slice());
			const visible = list.slice(0, limit);
			const hidden = list.length - visible.length;
			const before = wanted ? visible.length : openCount;
			open.replaceChildren(...visible.slice(0, before).map(elementOf));
			if (rest) rest.replaceChildren(...visible.slice(before).map(elementOf));
			next.hidden = hidden === 0;
			next.textContent = `Show ${Math.min(hidden, ROWS_A_TIME)} of ${hidden.toLocaleString("en")} further rows`;
		};

		if (dataRows.length) {
			next.type = "button";
			next.addEventListener("click", () => { limit += ROWS_A_TIME; show(); });
			note.replaceWith(next);
			show();
		}
		head.forEach((th, i) => {
			const label = th.querySelector(".h");
			if (!label) return;
			/* Laid over the heading, whose text stays what it is: browsers leave buttons out of heads repeated on paper. */
			const button = make("button", "sort");
			button.type = "button";
			button.setAttribute("aria-label", "Sort by " + label.textContent);
			button.addEventListener("click", () => {
				const was = th.getAttribute("aria-sort");
				const first = th.classList.contains("r") ? "descending" : "ascending";
				const now = !was ? first : was === "descending" ? "ascending" : "descending";
				head.forEach(h => h.removeAttribute("aria-sort"));
				th.setAttribute("aria-sort", now);
				column = i - offset;
				direction = now === "ascending" ? 1 : -1;
				show();
			});
			th.append(button);
		});
		roving(element.tHead, "button.sort", "ArrowLeft", "ArrowRight");
		const count = rows.length + keptCount;
		if (count > ROWS_TO_FILTER) {
			const find = make("input", "find");
			find.type = "search";
			find.placeholder = `Filter ${count.toLocaleString("en")} rows`;
			find.setAttribute("aria-label", find.placeholder);
			let pause;
			const filter = () => {
				wanted = find.value.trim().toLowerCase();
				element.classList.toggle("filtered", wanted !== "");
				show();
				highlight(element, wanted);
			};
			find.addEventListener("input", () => {
				clearTimeout(pause);
				if (count > ROWS_A_TIME) pause = setTimeout(filter, TYPING_MS);
				else filter();
			});
			box.prepend(find);
		}
		/* All rows that match, as the table shows them. */
		const texts = () => {
			bring();
			const heads = head.slice(offset).map(th => th.innerText.replace(/\s+/g, " ").replace(/[▾▴]/g, "").trim());
			const list = wanted ? rows.filter(r => words(r).includes(wanted)) : rows;
			return [heads, ...sorted(list.slice()).map(row => cells(row).map(t => t.replace(/\s+/g, " ").trim()))];
		};
		copies(box, texts);
		fits.observe(element);
		fits.observe(element.parentElement);
		if (box.dataset.life) lifetimes(box, element, offset);
		if (isTree) tree(rows.filter(r => r.tr).map(r => r.tr), heading, depthOf);
		roving(element, "button.tw, .long:not(a .long)", "ArrowUp", "ArrowDown");
	};

	/* Pointing at a buffer's row, or moving to it by keyboard, shows when it is live on the curve above. */
	const lifetimes = (box, element, offset) => {
		const [start, end, kind, ...id] = box.dataset.life.split(" ");
		const figure = document.getElementById(id.join(" "));
		if (!figure) return;
		const [points, used, height] = figure.dataset.axis.split(" ").map(Number);
		const svg = figure.querySelector(".plot > svg");
		const draw = (name, attributes, text) => {
			const mark = document.createElementNS("http://www.w3.org/2000/svg", name);
			for (const [key, value] of Object.entries(attributes)) mark.setAttribute(key, value);
			if (text) mark.textContent = text;
			return mark;
		};
		const shown = [];
		const hide = () => shown.splice(0).forEach(mark => mark.remove());
		const show = row => {
			hide();
			const cell = at => row.cells[Number(at) + offset].textContent;
			const from = sortKey(cell(start)), to = sortKey(cell(end));
			if (!(from >= 0 && to >= from)) return;
			const always = cell(kind) !== "temporary" && from === 0 && to === points - 1;
			const left = always ? 0 : (from + 1) / points * used;
			const right = always ? used : Math.min(to + 1, points) / points * used;
			const name = row.cells[offset].textContent;
			shown.push(draw("rect", { class: "life", x: left * 100 + "%", width: Math.max(right - left, 0.002) * 100 + "%", height }),
				draw("text", left < 0.5 ? { class: "halo w6", x: left * 100 + "%", dx: 4, y: -4 } :
					{ class: "halo w6 end", x: right * 100 + "%", dx: -4, y: -4 }, name.length > 48 ? name.slice(0, 47) + "…" : name));
			svg.append(...shown);
		};
		const rowOf = event => event.target.closest("tbody tr");
		/* One row can be reached by tab, the others from there by arrows; which rows there are changes by sorting. */
		const roving = row => {
			for (const other of element.querySelectorAll("tbody tr[tabindex='0']")) other.tabIndex = -1;
			row.tabIndex = 0;
		};
		const reachable = () => {
			const row = element.querySelector("tbody tr");
			if (row && !element.querySelector("tbody tr[tabindex='0']")) roving(row);
		};
		reachable();
		new MutationObserver(reachable).observe(element, { childList: true, subtree: true });
		element.addEventListener("pointerover", event => { const row = rowOf(event); if (row) show(row); });
		element.addEventListener("pointerleave", hide);
		element.addEventListener("focusin", event => { const row = rowOf(event); if (row) { roving(row); show(row); } });
		element.addEventListener("focusout", hide);
		element.addEventListener("keydown", event => {
			const row = event.target.matches("tbody tr") && event.target;
			const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
			if (!row || !step) return;
			const rows = all("tbody tr", element).filter(r => r.getClientRects().length);
			const next = rows[rows.indexOf(row) + step];
			if (!next) return;
			event.preventDefault();
			roving(next);
			next.focus();
		});
	};

	/* A tree's rows open and shut by a button before their name; the deep ones of some are shut at first. */
	const tree = (rows, heading, depthOf) => {
		const body = rows[0] && rows[0].closest("table");
		const deep = rows.filter(row => row.classList.contains("deep"));
		const openDepth = deep.length ? Math.min(...deep.map(depthOf)) - 1 : Infinity;
		const allDeep = body && body.closest(".tb").querySelector("input.deep");
		for (const row of rows) {
			const sign = heading(row).querySelector(".tw:not(.leaf)");
			if (!sign) continue;
			const twist = make("button", "tw");
			twist.type = "button";
			twist.setAttribute("aria-expanded", String(depthOf(row) < openDepth));
			twist.setAttribute("aria-label", "Rows below " + heading(row).textContent.trim());
			sign.replaceWith(twist);
		}
		if (!body) return;
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

	const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
	const sized = bytes => {
		let x = Math.abs(bytes), unit = 0;
		while (x >= 1024 && unit < 4) { x /= 1024; unit++; }
		const digits = unit === 0 || x >= 999.5 ? String(Math.round(x)) : x.toPrecision(3);
		return (bytes < 0 ? "−" : "") + digits.replace(/\B(?=(\d{3})+$)/, ",") + "\u202f" + UNITS[unit];
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
			const sum = (list, key) => list.reduce((total, cells) => total + cells[key].value, 0);
			if (steps.length < 2 || steps.some((step, i) => step.allocated_bytes.value !== sum(rows[i], "self_allocated_bytes"))) continue;
			const from = make("select"), to = make("select");
			from.append(new Option("none", ""));
			for (const { step } of steps) for (const choice of [from, to]) choice.append(new Option("step " + step.value, step.value));
			to.selectedIndex = steps.length - 1;
			to.setAttribute("aria-label", "the last of them");
			const label = make("label", "choice", "Add up from ");
			const other = make("span", undefined, " to ");
			other.append(to);
			label.append(from);
			const line = make("div", "choice");
			line.append(label, other);
			label.className = "";
			const columns = parts.columns.filter(column => column.key !== "step");
			const like = box.querySelector("table"), name = (box.querySelector("tbody td, tbody th") || {}).className || "x";
			const show = () => {
				let first = from.selectedIndex - 1, last = to.selectedIndex;
				const old = line.nextElementSibling;
				if (old && old.classList.contains("sum")) old.remove();
				if (first < 0) return;
				if (first > last) [first, last] = [last, first];
				const chosen = steps.slice(first, last + 1), by = new Map();
				for (const cells of rows.slice(first, last + 1).flat()) {
					if (!by.has(cells.operator.value)) by.set(cells.operator.value, []);
					by.get(cells.operator.value).push(cells);
				}
				const peak = chosen.some(step => step.peak_bytes.value === null) ? "" :
					`: peak ${sized(Math.max(...chosen.map(step => step.peak_bytes.value)))}, grew by ${sized(chosen[chosen.length - 1].end_bytes.value - chosen[0].start_bytes.value)}`;
				const scroll = make("div", "scroll sum"), list = make("table", like.className), head = make("tr"), body = make("tbody");
				const steady = `Steps ${chosen[0].step.value} to ${chosen[chosen.length - 1].step.value}${peak}, ${sized(sum(chosen, "allocated_bytes"))} allocated`;
				list.append(make("caption", undefined, steady));
				columns.forEach((column, i) => {
					const th = make("th", i ? "r" : "x", column.title);
					th.scope = "col";
					head.append(th);
				});
				const largest = [...by].sort((a, b) => sum(b[1], "self_allocated_bytes") - sum(a[1], "self_allocated_bytes"));
				for (const [operator, of] of largest) {
					const row = make("tr");
					columns.forEach((column, i) => {
						const total = i ? sum(of, column.key) : 0;
						const text = !i ? operator : column.unit === "bytes" ? sized(total) : total.toLocaleString("en");
						row.append(i ? make("td", "r", text) : make("td", name, text));
					});
					body.append(row);
				}
				const thead = make("thead");
				thead.append(head);
				list.append(thead, body);
				scroll.append(list);
				line.after(scroll);
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
		const svg = figure.querySelector(".plot > svg");
		const names = "http://www.w3.org/2000/svg";
		const line = document.createElementNS(names, "line"), dot = document.createElementNS(names, "circle");
		line.setAttribute("class", "link");
		dot.setAttribute("class", "link");
		dot.setAttribute("r", 5);
		const [from, to] = ["source", "target"].map(key => table.columns.findIndex(c => c.key === key) + (table.numbered ? 1 : 0));
		const draw = row => {
			line.remove();
			dot.remove();
			const ends = row && [from, to].map(i => cells.get(row.cells[i].textContent.trim()));
			if (!ends || !ends[0] || !ends[1]) return;
			const [a, b] = ends.map(e => {
				const r = e.getBBox();
				return [r.x + r.width / 2, r.y + r.height / 2];
			});
			for (const [key, value] of [["x1", a[0]], ["y1", a[1]], ["x2", b[0]], ["y2", b[1]]]) line.setAttribute(key, value);
			dot.setAttribute("cx", b[0]);
			dot.setAttribute("cy", b[1]);
			svg.append(line, dot);
		};
		const rowOf = event => event.target.closest("tbody tr");
		for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, event => draw(rowOf(event)));
		for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => draw(null));
		/* One stop for the keyboard; arrows go on from row to row. */
		const reach = () => all("tbody tr", box).forEach((row, i) => { row.tabIndex = i ? -1 : 0; });
		reach();
		box.addEventListener("focusin", reach);
		box.addEventListener("keydown", event => {
			const row = event.target.matches("tbody tr") && event.target;
			if (!row || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
			const rows = all("tbody tr", box).filter(r => r.getClientRects().length);
			const next = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
			if (!next) return;
			event.preventDefault();
			next.tabIndex = 0;
			next.focus();
		});
	};

	/* One search over sections, parts, rows and figures, folded or not; "/" goes to it. */
	const search = () => {
		const MOST = 30, ol = document.querySelector(".rail ol");
		const field = make("input", "search"), hits = make("ol", "hits");
		field.type = "search";
		field.placeholder = "Search  /";
		field.setAttribute("aria-label", "Search sections, rows and figures");
		hits.hidden = true;
		ol.before(field, hits);
		const roots = () => [document, ...all("noscript").map(n => {
			const made = make("template");
			made.innerHTML = n.textContent;
			return made.content;
		})];
		const titles = new Map(all(".sec[id]").map(e => [e.id, e.getAttribute("aria-label")]));
		let entries;
		const gather = async () => {
			const found = [], seen = new Set();
			const add = (text, id, kind) => {
				if (!id || seen.has(kind + id)) return;
				seen.add(kind + id);
				if (kind === "part" && !titles.has(id)) titles.set(id, text);
				found.push({ text, low: text.toLowerCase(), id, where: titles.get(id.split("/")[0]) || "", kind });
			};
			for (const root of roots()) {
				for (const e of all("section[id]", root)) add((e.querySelector(":scope > header :is(h2, h3, h4, h5, h6)") || e).firstChild.textContent, e.id, "part");
				for (const e of all("details > summary", root)) {
					const inside = e.nextElementSibling && (e.nextElementSibling.closest("[id]") || e.nextElementSibling.querySelector("[id]"));
					if (inside) add(e.firstChild.textContent, inside.id, "part");
				}
				for (const e of all("tbody tr[id]", root)) add((e.querySelector("th") || e).textContent.trim(), e.id, "row");
			}
			const figures = await report().then(whole => Object.entries(whole.metrics), () => []);
			for (const [name, { text }] of figures) add(`${name} = ${text}`, `performance/table/${name}`, "figure");
			return found;
		};
		const rank = (entry, words) => {
			if (!words.every(word => entry.low.includes(word) || entry.where.toLowerCase().includes(word))) return -1;
			const at = entry.low.indexOf(words[0]);
			return (at === 0 ? 0 : at > 0 ? 10 : 20) + { part: 0, row: 1, figure: 2 }[entry.kind];
		};
		const go = id => {
			if (location.hash === "#" + id) unfold();
			else location.hash = id;
		};
		const show = async () => {
			const wanted = field.value.trim().toLowerCase();
			entries = entries || gather();
			const list = await entries;
			if (wanted !== field.value.trim().toLowerCase()) return;
			hits.hidden = wanted === "";
			ol.hidden = wanted !== "";
			const words = wanted.split(/\s+/);
			const best = wanted ? list.map(entry => [rank(entry, words), entry]).filter(([place]) => place >= 0).sort((a, b) => a[0] - b[0]) : [];
			hits.replaceChildren(...best.slice(0, MOST).map(([, { text, id, where }]) => {
				const item = make("li"), link = make("a", undefined, text);
				link.href = "#" + id;
				link.addEventListener("click", event => { event.preventDefault(); go(id); });
				link.append(make("small", undefined, where));
				item.append(link);
				return item;
			}));
			if (wanted) hits.append(make("li", "m", best.length > MOST ? `${(best.length - MOST).toLocaleString("en")} more` : best.length ? "" : "Nothing found"));
		};
		field.addEventListener("input", show);
		field.addEventListener("keydown", event => {
			const first = hits.querySelector("a");
			if (event.key === "Enter" && first) first.click();
			else if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
			else if (event.key === "Escape") { field.value = ""; show(); }
		});
		hits.addEventListener("keydown", event => {
			const links = all("a", hits), at = links.indexOf(event.target) + { ArrowDown: 1, ArrowUp: -1 }[event.key];
			if (Number.isNaN(at)) return;
			event.preventDefault();
			(links[at] || (at < 0 ? field : event.target)).focus();
		});
		document.addEventListener("keydown", event => {
			if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
			event.preventDefault();
			field.focus();
		});
	};

	/* The rail marks the section that is being read. */
	const rail = () => {
		const links = all(".rail a");
		let queued = false;
		const mark = () => {
			queued = false;
			let current = 0;
			links.forEach((a, i) => { const t = document.getElementById(a.getAttribute("href").slice(1)); if (t && t.getClientRects().length && t.getBoundingClientRect().top < 120) current = i; });
			links.forEach((a, i) => i === current ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current"));
		};
		addEventListener("scroll", () => { if (!queued) { queued = true; requestAnimationFrame(mark); } }, { passive: true });
	};

	/* What stands folded in a large page is one text in a <noscript>, and becomes elements when it is wanted. */
	const enhance = within => {
		all(".tb", within).forEach(table);
		anchors(within);
		steps(within);
		memory(within);
		channels(within);
	};
	const fill = later => {
		if (bringers.has(later)) return bringers.get(later)();
		const made = make("template"), room = make("div");
		made.innerHTML = later.textContent;
		room.append(made.content);
		later.replaceWith(room);
		enhance(room);
	};
	const fillWithin = element => all("noscript", element).forEach(fill);
	const folds = () => document.addEventListener("toggle", event => { if (event.target.open) fillWithin(event.target); }, true);

	/* The element that an address names, also one that is yet to be made. */
	const targetOf = hash => {
		const names = [hash.slice(1), decodeURIComponent(hash.slice(1))];
		const find = () => names.map(name => document.getElementById(name)).find(e => e);
		if (!find() && names[0]) {
			const wanted = names.map(name => `id="${name.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
			const later = all("noscript").find(n => wanted.some(w => n.textContent.includes(w)));
			if (later) fill(later);
		}
		return find();
	};

	/* The rail leads to sections of the view that is shown; what it has not is of the whole run. */
	const stay = view => {
		const part = id => document.getElementById(`${view.id}/${id}`) || view.querySelector(`[id^="${CSS.escape(view.id + "/" + id)}/"]`);
		for (const a of all(".rail ol:not(.hits) a")) {
			const id = a.dataset.section || (a.dataset.section = a.getAttribute("href").slice(1));
			const own = view && (id === "summary" ? view : part(id));
			a.href = "#" + (own ? own.id : id);
			a.classList.toggle("out", !!view && !own);
		}
	};

	/* The views by worker and by span, where they are too many for a line: both are chosen from lists. */
	const lists = () => {
		const box = document.querySelector("details.choose");
		if (!box) return;
		const KINDS = ["run", "worker", "span"];
		const views = all("a", box).slice(1).map(a => {
			const of = Object.fromEntries(a.getAttribute("href").slice("#views/".length).split(",").map(part => part.split("=")));
			return { of, a };
		});
		const line = make("div", "choice views"), selects = {};
		const valueOf = (view, kind) => view.of[kind] || "";
		for (const kind of KINDS) {
			const values = [...new Set(views.map(view => valueOf(view, kind)))].filter(value => value);
			if (!values.length) continue;
			const label = make("label", undefined, kind[0].toUpperCase() + kind.slice(1) + " "), select = selects[kind] = make("select");
			select.append(new Option("all", ""), ...values.map(value => new Option(decodeURIComponent(value), value)));
			label.append(select);
			line.append(label, " ");
			select.addEventListener("change", () => {
				const wanted = view => Object.keys(selects).every(k => valueOf(view, k) === selects[k].value);
				/* Not each worker has each span: what was chosen last counts. */
				if (!views.some(wanted)) for (const other of Object.keys(selects)) if (other !== kind) selects[other].value = "";
				const found = views.find(wanted);
				location.hash = found ? found.a.getAttribute("href") : "#summary";
			});
		}
		box.after(line);
		box.hidden = true;
		const mark = () => {
			const current = views.find(view => view.a.hasAttribute("aria-current"));
			for (const kind of Object.keys(selects)) selects[kind].value = current ? valueOf(current, kind) : "";
		};
		addEventListener("hashchange", mark);
		mark();
	};

	/* Which of the views is shown; the style sheet shows it by itself. */
	const chosen = () => {
		const mark = () => {
			const target = targetOf(location.hash);
			const view = target && target.closest(".view");
			if (view) fillWithin(view);
			stay(view);
			for (const a of all(".choose a")) {
				if (a.getAttribute("href") === "#" + (view ? view.id : "summary")) a.setAttribute("aria-current", "true");
				else a.removeAttribute("aria-current");
			}
		};
		addEventListener("hashchange", mark);
		mark();
	};

	/* The card of an operation opens below the row whose name leads to it: a copy, with ids of its own. */
	const cards = () => document.addEventListener("click", event => {
		const link = event.target.closest("tbody a[href*='operations/card/']");
		if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
		const row = link.closest("tr"), below = row.nextElementSibling;
		event.preventDefault();
		if (below && below.classList.contains("card")) {
			below.remove();
			link.setAttribute("aria-expanded", "false");
			return;
		}
		fillWithin(targetOf(link.hash));
		const card = targetOf(link.hash).cloneNode(true);
		all(".copies, .find, .sort, .anchor", card).forEach(e => e.remove());
		for (const e of [card, ...all("[id]", card)]) e.id = `below/${row.id}/${e.id}`;
		for (const label of all("label[for]", card)) label.htmlFor = `below/${row.id}/${label.htmlFor}`;
		const cell = make("td"), under = make("tr", "card");
		cell.colSpan = row.cells.length;
		cell.append(card);
		under.append(cell);
		row.after(under);
		link.setAttribute("aria-expanded", "true");
		enhance(card);
	});

	/* Each heading can be linked to: the link is copied. */
	const anchors = within => {
		for (const section of all("section[id], article[id]", within)) {
			const heading = section.querySelector(":scope > header :is(h2, h3, h4)");
			if (!heading || heading.querySelector(".anchor")) continue;
			const link = make("a", "anchor", "#");
			link.href = "#" + section.id;
			link.setAttribute("aria-label", "Link to " + heading.textContent.trim());
			link.addEventListener("click", () => { if (navigator.clipboard) navigator.clipboard.writeText(link.href).catch(() => {}); });
			heading.append(link);
		}
	};

	/* A link into something folded unfolds it. */
	const unfold = () => {
		const target = targetOf(location.hash);
		if (!target) return;
		for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
		if (target.classList.contains("shut")) {
			const heading = row => row.querySelector("th"), depthOf = row => Number((heading(row).className.match(/\bin(\d+)/) || [0, 0])[1]);
			let depth = depthOf(target);
			for (let row = target.previousElementSibling; row && depth > 0; row = row.previousElementSibling) {
				if (depthOf(row) >= depth) continue;
				depth = depthOf(row);
				const twist = heading(row).querySelector("button.tw[aria-expanded=false]");
				if (twist) twist.click();
			}
		}
		const folded = target.closest(".rest");
		if (folded) folded.closest(".tb").querySelector("input.more").checked = true;
		target.scrollIntoView();
	};

	/* On paper nothing can be unfolded: what a PDF prints is open there. What the reader opened is printed, too. */
	const paper = () => {
		let opened = [];
		addEventListener("beforeprint", () => {
			/* Of those that share a name one is open at a time. */
			const free = () => all("details[name]").forEach(d => { d.dataset.group = d.name; d.removeAttribute("name"); });
			free();
			/* Those within others come to be seen when these are open. */
			for (let next; (next = all("details:not([open])").filter(d => d.firstElementChild.checkVisibility() && !d.closest(".off-paper:not([open])"))).length;) {
				next.forEach(d => { fillWithin(d); d.open = true; });
				opened = opened.concat(next);
				free();
			}
		});
		addEventListener("afterprint", () => {
			opened.forEach(d => { d.open = false; });
			opened = [];
			all("details[data-group]").forEach(d => { d.name = d.dataset.group; });
		});
	};

	const tools = () => {
		const box = document.querySelector(".tools");
		const button = box.querySelector("[data-save]");
		box.hidden = false;
		button.addEventListener("click", async () => {
			save(await reportText(), "application/json", button.dataset.name);
		});
		box.querySelector("[data-print]").addEventListener("click", () => print());
	};

	/* A text that is one line shows all of itself where it is pointed at, and on a click. */
	document.documentElement.classList.add("js");
	document.addEventListener("pointerover", event => {
		const text = event.target;
		if (!text.classList.contains("long") || text.title && text.title !== text.textContent) return;
		if (text.scrollHeight > text.clientHeight + 1) text.title = text.textContent;
		else text.removeAttribute("title");
	});
	document.addEventListener("click", event => {
		if (event.target.classList.contains("long") && !String(getSelection())) event.target.classList.toggle("all");
	});

	enhance(document);
	tooltips();
	folds();
	search();
	rail();
	chosen();
	lists();
	cards();
	tools();
	paper();
	addEventListener("hashchange", unfold);
	if (location.hash) unfold();
})();
