/* A range of time on the memory curve of a PyTorch job: dragged over, or set by two sliders. What operators allocated and freed in it, and
   the pieces of memory that came or went. */

/* "1.204 s", as a point of the curve is called, in ms. */
const msOf = label => {
	const [number, unit] = label.split("\u202f");
	return Number(number.replaceAll(",", "")) * TIMES.find(([symbol]) => symbol === unit)[1] / UNITS.ms[1];
};

/* Allocations and releases of a range by operator, the most allocated first. */
const byOperator = (rows, inRange) => {
	const by = new Map();
	for (const { operator, bytes, given_ms, taken_ms } of rows) {
		const name = told(operator.value);
		const of = by.get(name) || by.set(name, { name, allocated: 0, count: 0, freed: 0 }).get(name);
		if (inRange(given_ms)) { of.allocated += bytes.value; of.count++; }
		if (inRange(taken_ms)) of.freed += bytes.value;
	}
	return [...by.values()].filter(of => of.count || of.freed).sort((a, b) => b.allocated - a.allocated || b.freed - a.freed);
};

const memoryRange = async within => {
	for (const figure of all("figure[id^='torch-memory/of/'][id$='/curve']", within)) {
		const whole = await reportLater(), block = blockOf(whole, figure.id);
		const pieces = blockOf(whole, figure.id.replace(/curve$/, "pieces/table")), operators = blockOf(whole, figure.id.replace(/curve$/, "operators/table"));
		if (!block || block.labels.length < 2) continue;
		const starts = block.labels.map(msOf), count = starts.length, width = (starts[count - 1] - starts[0]) / (count - 1);
		const [, height] = figure.dataset.axis.split(" ").map(Number), plot = figure.querySelector(".plot"), svg = plot.querySelector("svg");
		const series = key => (block.series.find(s => s.key === key) || { values: starts.map(() => 0) }).values, low = series("allocated_low"), rise = series("allocated_rise");
		let rows, turn = 0;
		/* Each allocation is a piece: where there are as many, all are here. */
		const isComplete = () => operators && !operators.left_out && rows.filter(row => row.given_ms.value !== null).length === sum(operators.rows.map(row => row.cells), "self_allocations");
		const line = make("div", "choice ranges"), found = make("div", "sum"), band = mark("rect", { class: "range", y: 0, height });
		const slider = (name, at) => {
			const label = make("label", undefined, name + " "), input = make("input");
			Object.assign(input, { type: "range", min: 0, max: count - 1, value: at });
			label.append(input);
			line.append(label, " ");
			input.addEventListener("input", () => show());
			return input;
		};
		const from = slider("Range from", 0), to = slider("to", count - 1), every = make("button", undefined, "Whole capture");
		every.type = "button";
		every.addEventListener("click", () => { from.value = 0; to.value = count - 1; show(); });
		line.append(every);
		figure.after(line, found);

		const list = (caption, heads, cells) => {
			const table = make("table", "t half"), head = table.createTHead().insertRow(), body = table.createTBody();
			table.prepend(make("caption", undefined, caption));
			heads.forEach((name, i) => {
				const th = make("th", i ? "r" : "x", name);
				th.scope = "col";
				head.append(th);
			});
			for (const row of cells) body.insertRow().append(...row.map((text, i) => make("td", i ? "r" : "x", text)));
			return scrolled(table, "scroll");
		};
		const show = async () => {
			const mine = ++turn, first = Math.min(from.value, to.value), last = Math.max(from.value, to.value), everything = first === 0 && last === count - 1;
			for (const input of [from, to]) input.setAttribute("aria-valuetext", block.labels[input.value]);
			every.hidden = everything;
			band.remove();
			found.replaceChildren();
			if (everything) return;
			const start = starts[first], end = starts[last] + width;
			/* The curve begins with the first record and ends with the last. */
			const inRange = ({ value }) => value !== null && (first === 0 || value >= start) && (last === count - 1 || value < end);
			const least = Math.min(...low.slice(first, last + 1)), top = Math.max(...low.slice(first, last + 1).map((bytes, i) => bytes + rise[first + i]));
			for (const [key, value] of [["x", first / count], ["width", (last + 1 - first) / count]]) band.setAttribute(key, value * 100 + "%");
			svg.append(band);
			rows = rows || (pieces ? await rowsOf(pieces) : []);
			if (mine !== turn) return; /* the reader went on */
			const complete = isComplete(), span = `${told(start, "ms")} to ${told(end, "ms")}`, shown = rows.filter(row => inRange(row.given_ms) || inRange(row.taken_ms));
			const of = complete ? "all allocations" : `of the ${rows.length.toLocaleString("en")} largest allocations`;
			found.append(make("p", "small now", `${span}: ${sized(least)} to ${sized(top)} allocated`));
			if (!pieces) return;
			const sums = byOperator(rows, inRange);
			found.append(list(`Allocated and freed by operator from ${span}, ${of}`, ["Operator", "Allocated", "Allocations", "Freed", "Growth"],
				sums.map(o => [o.name, sized(o.allocated), o.count.toLocaleString("en"), sized(o.freed), sized(o.allocated - o.freed)])));
			const caption = `Allocations made or freed from ${span}: ${shown.length.toLocaleString("en")}${complete ? "" : `, ${of}`}`;
			found.append(longList(figure.id + "--range", caption, pieces.columns, shown));
		};

		const columnAt = event => {
			const box = svg.getBoundingClientRect();
			return Math.min(count - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * count)));
		};
		let started = -1;
		plot.classList.add("drag");
		plot.addEventListener("pointerdown", event => {
			if (event.button) return;
			started = columnAt(event);
			plot.setPointerCapture(event.pointerId);
		});
		plot.addEventListener("pointermove", event => {
			if (started < 0) return;
			from.value = started;
			to.value = columnAt(event);
			show();
		});
		/* A click without a drag is the whole again. */
		plot.addEventListener("pointerup", event => {
			if (started >= 0 && columnAt(event) === started) every.click();
			started = -1;
		});
		plot.addEventListener("pointercancel", () => { started = -1; });
		show();
	}
};
