/* A chart drawn anew with other figures, in its place and its colours: what one step has instead of the mean. */

const kept = new WeakMap(); /* of a figure that is drawn anew: elements whose text is another, and what they held */

const retell = (figure, element, text) => {
	if (!element) return;
	kept.get(figure).push([element, [...element.childNodes]]);
	element.replaceChildren(text);
};

/* As it was when the page opened. */
const asDrawn = figure => {
	for (const [element, nodes] of (kept.get(figure) || []).reverse()) element.replaceChildren(...nodes);
	kept.delete(figure);
	figure.classList.remove("redrawn", "stack", "strip", "bars", "tops");
	all(".plot > svg > .now", figure).forEach(e => e.remove());
};

/* The entries of a legend by their labels. */
const entriesOf = figure => new Map(all(".legend li", figure).map(li => [li.childNodes[1].data.trim(), li]));

/* A series has the class of its swatch in the legend; a chart without one has one series. */
const classOf = (entries, { label, hue }) => entries.has(label) ? entries.get(label).querySelector(".sw rect").getAttribute("class") : "c-" + hue;

const put = (group, className, x, width, y, height, tip) => {
	if (!(width > 0 && height > 0)) return;
	const rect = mark("rect", { class: className, x: x * 100 + "%", width: width * 100 + "%", y, height });
	rect.dataset.tip = tip;
	group.append(rect);
};

const totals = (block, values) => block.labels.map((_, point) => values.reduce((sum, of) => sum + of[point], 0));

/* The least of 1, 2, 5, 10, 20 … times which a scale holds the value. */
const scaleFor = (value, top) => {
	for (let i = 0; ; i++) {
		const times = [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3);
		if (value <= top * times || i > 60) return times;
	}
};

/* The rows of a chart of bars, as it was drawn. */
const rowsOfBars = figure => {
	const drawn = all(".plot > svg > g:not(.now) > rect[class^='c-']", figure), tops = [...new Set(drawn.map(e => e.getAttribute("y") || "0"))];
	return tops.map(y => ({ y: Number(y), height: Number(drawn[0].getAttribute("height")) }));
};

/* By kind of chart; false: it cannot be. Values are by series and point. */
const REDRAW = {
	stack(figure, block, values, group, classes, entries) {
		const [total] = totals(block, values), height = Number(figure.querySelector(".plot > svg").getAttribute("height"));
		let at = 0;
		block.series.forEach(({ label }, i) => {
			const [value] = values[i], share = total > 0 ? value / total : 0, words = [told(value, block.unit), told(share, "share")];
			put(group, classes[i], at, share, 0, height, [label, ...words].join(" · "));
			at += share;
			const entry = entries.get(label);
			if (!entry) return;
			retell(figure, entry.querySelector("b"), words[0]);
			retell(figure, entry.querySelector(".m"), words[1]);
		});
		return true;
	},
	strip(figure, block, values, group, classes) {
		const [, base, top, left, width] = figure.dataset.axis.split(" ").map(Number), slot = 1 / block.labels.length, sums = totals(block, values);
		const times = scaleFor(Math.max(...sums), top), px = value => value / top / times * base;
		for (const tick of all(".plot > svg > g > text[dx='-6']", figure))
			if (times > 1) retell(figure, tick, tick.textContent.replace(/[\d.,]+/, n => (Number(n.replaceAll(",", "")) * times).toLocaleString("en")));
		block.labels.forEach((name, point) => {
			let sum = 0;
			block.series.forEach(({ label }, i) => {
				const value = values[i][point];
				sum += value;
				put(group, classes[i], (point + left) * slot, width * slot, base - px(sum), px(value), `${name}: ${label} ${told(value, block.unit)}`);
			});
			if (point === block.marked)
				group.append(mark("rect", { class: "frame s-ink", "stroke-width": 1.5, x: (point + left) * slot * 100 + "%", width: width * slot * 100 + "%", y: base - px(sum) - 1, height: px(sum) + 1 }));
		});
		return true;
	},
	bars(figure, block, values, group, classes) {
		const rows = rowsOfBars(figure), sums = totals(block, values), most = Math.max(...sums);
		const figures = all(".plot > svg > g > text.px12.w6.end", figure);
		if (rows.length !== block.labels.length || figures.length !== block.labels.length) return false;
		block.labels.forEach((_, point) => {
			let at = 0;
			block.series.forEach(({ label }, i) => {
				const value = values[i][point];
				put(group, classes[i], at / most, value / most, rows[point].y, rows[point].height, `${label} ${told(value, block.unit)}`);
				at += value;
			});
			retell(figure, figures[point], told(sums[point], block.unit));
		});
		return true;
	},
};

/* Draws the values; returns whether that could be done. */
const redraw = (figure, block, values) => {
	asDrawn(figure);
	kept.set(figure, []);
	const entries = entriesOf(figure), group = mark("g", { class: "now" });
	if (!REDRAW[block.chart](figure, block, values, group, block.series.map(series => classOf(entries, series)), entries)) {
		asDrawn(figure);
		return false;
	}
	figure.classList.add("redrawn", block.chart);
	figure.querySelector(".plot > svg").append(group);
	return true;
};

/* Says what a figure shows now: in the place of the words that say what it was drawn for, or above it; "": as it was. */
const captions = new WeakMap();
const caption = (figure, text, place) => {
	const line = place || figure.querySelector(":scope > figcaption") || make("figcaption", "small");
	if (!captions.has(line)) captions.set(line, [...line.childNodes]);
	line.replaceChildren(...text ? [text] : captions.get(line));
	line.classList.toggle("now", text !== "");
	if (place) return;
	if (text) figure.prepend(line);
	else line.remove();
};
/* The same for those who cannot see it. */
const describe = (figure, text) => {
	const said = figure.querySelector(":scope > .alt");
	if (said.dataset.was === undefined) said.dataset.was = said.textContent;
	said.textContent = text || said.dataset.was;
};
