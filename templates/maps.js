/* A distributed run's heat maps. */

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

/* In a map that differs by less than this share of its largest figure all cells are pale, as in src/analyze/pod/pod_grid.c. */
const LEAST_SPAN = 0.05;

/* A heat map of one step: cells, scale, title, and the figure of the outlined cell. */
const mapParts = (figure, block) => {
	const texts = all(".plot > svg > g > text:not(.cell)", figure);
	const scale = texts.filter(t => t.classList.contains("f-ink3")), last = texts[texts.length - (texts[texts.length - 1].classList.contains("narrow") ? 2 : 1)];
	return {
		cells: cellsOf(figure, block).map(cell => ({ ...cell, was: cell.box.getAttribute("class"), words: said(cell.box), drawn: cell.figure ? cell.figure.textContent : "" })),
		title: block.title ? texts[0] : null,
		scale,
		outlined: block.marked.length && scale.length ? last : null,
	};
};

const showMap = (figure, block, parts, now, name) => {
	const values = parts.cells.map(({ label }) => now.get(label)), low = Math.min(...values);
	const most = Math.max(...values), high = most - low >= LEAST_SPAN * most ? most : low + (most > 0 ? LEAST_SPAN * most : 1);
	kept.set(figure, []);
	parts.cells.forEach((cell, i) => {
		const step = Math.min(6, Math.floor(7 * (values[i] - low) / (high - low)));
		cell.box.setAttribute("class", "h" + step);
		refigure(cell, values[i], step === 6);
		say(cell.box, `${cell.label}: ${told(values[i], block.unit)} in step ${name}`);
	});
	if (parts.title) retell(figure, parts.title, block.title.slice(0, block.title.lastIndexOf(": ")));
	retell(figure, parts.scale[0], told(low, block.unit));
	retell(figure, parts.scale[1], told(most, block.unit));
	const outlined = block.cells.find(cell => cell.cell === block.marked[0]);
	if (outlined) retell(figure, parts.outlined, `${outlined.label}: ${told(now.get(outlined.label), block.unit)}`);
};

const mapAsDrawn = (figure, parts) => {
	asDrawn(figure);
	for (const cell of parts.cells) {
		cell.box.setAttribute("class", cell.was);
		refigure(cell, undefined, cell.was === "h6");
		say(cell.box, cell.words);
	}
};

/* Of each core, chip and host what it, or its slowest core, has in a step. */
const placesOf = (rows, key) => {
	const now = new Map();
	for (const row of rows) {
		for (const label of [row.core && row.core.value, row.chip && "chip " + row.chip.value, row.host.value])
			if (label) now.set(label, Math.max(now.get(label) || 0, row[key].value));
	}
	return now;
};

const stepMaps = async within => {
	for (const figure of all("figure[id^='distributed/map'], figure[id='distributed/link-map']", within)) {
		const whole = await reportLater(), block = blockOf(whole, figure.id), parts = mapParts(figure, block), times = stepTimes(whole);
		const by = rowsByStep(whole, "distributed/each-step", countOf(blockOf(whole, "distributed/cores")));
		const key = figure.id.startsWith("distributed/map-") ? figure.id.slice("distributed/map-".length) + "_ms" : "own_ms";
		theStep.follow(name => {
			const now = by.has(name) ? placesOf(by.get(name).values(), key) : null, done = now && parts.cells.every(({ label }) => now.has(label));
			mapAsDrawn(figure, parts);
			if (done) showMap(figure, block, parts, now, name);
			tellStep(figure, times, name, done, null);
			if (done && block.links.length) caption(figure, `Cells: own time in step ${name}. Channels: all steps.`, null);
		});
	}
};
