/* As many bars as the reader asks for, where a chart shows the longest of a table. */

/* Of each such chart: the table, whose names its bars have, the column of their lengths, and of a tree how deep its groups are. */
const TOPS = {
	"operators/device-self": ["operators/list", "operator", "device_self_us"],
	"operators/device-total": ["operators/list", "operator", "device_total_us"],
	"operators/host-self": ["operators/list", "operator", "host_self_us"],
	"operators/host-total": ["operators/list", "operator", "host_total_us"],
	"kernels/top": ["kernels/by-name", "kernel", "total_us"],
	"operations/categories": ["operations/tree", "name", "self_ms", 0],
};
const TOP_COUNTS = [5, 10, 20, 50, 100], GAP_PX = 10; /* between a name and its bar */

/* The rows of a table, those of one name together, the longest first, as bars of a chart; nothing where its own bars are not the first. */
const barsOf = (block, table, name, key, depth) => {
	/* Beyond the bars that are drawn a row's own hue counts, if the chart has it. */
	const known = block.series.map(s => s.hue), usual = known.find(hue => hue !== "collective") || known[0], by = new Map();
	for (const { cells, depth: own, role } of table.rows) {
		if (own !== depth || depth !== undefined && role !== "group" || !cells[key] || !(cells[key].value > 0)) continue;
		const label = cells[name].full || cells[name].value, bar = by.get(label) || { label, value: 0, hue: Object.values(cells).map(cell => cell.hue).find(hue => known.includes(hue)) || usual };
		bar.value += cells[key].value;
		by.set(label, bar);
	}
	const bars = [...by.values()].sort((a, b) => b.value - a.value), values = totals(block, block.series.map(s => s.values));
	const scale = bars.length ? values[0] / bars[0].value : 0;
	for (const bar of bars) bar.value *= scale;
	if (table.left_out || !values.every((value, i) => bars[i] && Math.abs(bars[i].value - value) <= 1e-6 * values[0])) return [];
	values.forEach((_, i) => Object.assign(bars[i], { label: block.labels[i], hue: (block.series.find(s => s.values[i] > 0) || bars[i]).hue }));
	return bars;
};

const drawBars = (figure, block, bars) => {
	const svg = figure.querySelector(".plot > svg"), rows = rowsOfBars(figure), pitch = rows[1].y - rows[0].y, group = mark("g", { class: "now" });
	const value = svg.querySelector(":scope > g:not(.now) > text.px12.w6.end"), base = Number(value.getAttribute("y")), words = block.series[0].label;
	/* The first name, on a phone another. */
	const names = all(":scope > g:not(.now) > text[dx^='-']", svg).filter(text => Number(text.getAttribute("y")) === base);
	const write = (like, y, text) => {
		const element = like.cloneNode();
		element.setAttribute("y", y);
		element.textContent = text;
		group.append(element);
		return element;
	};
	asDrawn(figure);
	kept.set(figure, []);
	pen.font = "12px " + getComputedStyle(figure).fontFamily;
	bars.forEach((bar, i) => {
		const top = rows[0].y + i * pitch, figureText = told(bar.value, block.unit);
		put(group, "c-" + bar.hue, 0, bar.value / bars[0].value, top, rows[0].height, `${words} ${figureText}`);
		for (const name of names) write(name, base + i * pitch, fitting(bar.label, -name.getAttribute("dx") - GAP_PX)).dataset.tip = bar.label;
		write(value, base + i * pitch, figureText);
	});
	figure.classList.add("redrawn", "tops");
	svg.setAttribute("height", bars.length * pitch);
	svg.append(group);
	describe(figure, `The ${bars.length} longest of ${words.replace(/^of /, "")}: ${bars[0].label}, ${told(bars[0].value, block.unit)}, the first.`);
};

const tops = async within => {
	for (const [id, [list, name, key, depth]] of Object.entries(TOPS)) {
		const figure = within.querySelector(`figure[id='${id}']`);
		if (!figure) continue;
		const whole = await reportLater(), block = blockOf(whole, id), table = blockOf(whole, list), drawn = figure.querySelector(".plot > svg").getAttribute("height");
		const bars = table ? barsOf(block, table, name, key, depth) : [], shown = block.labels.length;
		if (bars.length <= shown || rowsOfBars(figure).length < 2) continue;
		const label = make("label", "choice", "Longest "), select = make("select"), counts = TOP_COUNTS.filter(n => n !== shown && n < bars.length);
		select.append(new Option(String(shown), ""), ...counts.map(n => new Option(String(n), n)), new Option(`all ${bars.length.toLocaleString("en")}`, bars.length));
		label.append(select);
		figure.before(label);
		select.addEventListener("change", () => {
			if (select.value) return drawBars(figure, block, bars.slice(0, Number(select.value)));
			asDrawn(figure);
			figure.querySelector(".plot > svg").setAttribute("height", drawn);
			describe(figure, "");
		});
	}
};
