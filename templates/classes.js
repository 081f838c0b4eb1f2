/* The table of classes of a step: of the step that the page shows, instead of the mean. */

/* Of each class, and of the step as a whole, its time in a step; undefined where the page holds no figure of that class by step. */
const classTimes = (strip, point, keys) => {
	const times = new Map(strip.series.map(s => [s.key, s.values[point]])), known = keys.every(key => key === "step" || times.has(key));
	return times.set("step", known ? [...times.values()].reduce((sum, ms) => sum + ms, 0) : undefined);
};

/* The bar of a cell, as long as the share; a total has none. */
const barOf = (cell, share) => {
	const drawn = cell.querySelector(".ib");
	if (!drawn) return "";
	const bar = drawn.cloneNode(true);
	bar.querySelector("rect").setAttribute("width", share * bar.getAttribute("width"));
	return bar;
};

const stepClasses = async within => {
	for (const box of all(".tb[id$='steps/classes']", within)) {
		const whole = await reportLater(), block = blockOf(whole, box.id), strip = blockOf(whole, box.id.replace(/classes$/, "strip"));
		if (!block || !strip) continue;
		const columns = ["mean_ms", "share"].map(key => block.columns.find(column => column.key === key)), [mean, share] = columns.map(column => placeOf(box, column));
		if (mean < 0 || share < 0) continue;
		const keys = block.rows.map(({ id }) => id.slice(box.id.length + 1)), element = box.querySelector("table"), heading = element.tHead.rows[0].cells[mean];
		const line = make("p", "small now"), words = make("span"), back = make("button", undefined, "Mean of all steps");
		back.type = "button";
		back.addEventListener("click", () => theStep.choose(""));
		line.append(words, " ", back);
		line.hidden = true;
		element.parentElement.before(line);

		const showRow = (key, ms, total) => {
			const { cells } = document.getElementById(`${box.id}/${key}`), part = ms >= 0 && total > 0 ? ms / total : undefined;
			const text = (at, value) => textOf({ value: value === undefined ? null : value }, columns[at]), bar = document.createDocumentFragment();
			if (part !== undefined) bar.append(barOf(cells[share], part), make("span", "n4", text(1, part)));
			retell(box, cells[mean], text(0, ms));
			retell(box, cells[share], part === undefined ? "–" : bar);
			if (ms === undefined) cells[mean].title = "The page holds no figures of this class by step";
		};
		theStep.follow(name => {
			const point = strip.labels.indexOf(name), shown = name !== "" && point >= 0;
			asDrawn(box);
			for (const row of element.tBodies[0].rows) row.cells[mean].removeAttribute("title");
			line.hidden = !name;
			back.hidden = !shown;
			heading.classList.toggle("now", shown);
			words.textContent = shown ? "" : `Not for step ${name}: the page holds no figures of that step here`;
			if (shown) {
				const times = classTimes(strip, point, keys), total = times.get("step");
				kept.set(box, []);
				words.textContent = `Step ${name}${total === undefined ? "" : ": " + told(total, strip.unit)}, by class; the columns after “${columns[1].title}” are over all steps.`;
				retell(box, element.caption, block.caption.replace(/^An? (inferred )?step/, `Step ${name}`));
				retell(box, heading.querySelector(".h"), `Step ${name}`);
				for (const key of keys) showRow(key, times.get(key), total);
			}
			retold(box);
		});
	}
};
