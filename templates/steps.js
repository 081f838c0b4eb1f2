/* One step for the whole page: a click on a step, or Enter on it, shows it in all charts and tables that can tell it. What cannot stays. */

const theStep = {
	name: "", /* "": all of them */
	followers: [],
	choose(name) {
		this.name = name === this.name ? "" : name;
		for (const show of this.followers) show(this.name);
	},
	follow(show) {
		this.followers.push(show);
		if (this.name) show(this.name);
	},
};

/* Its figures. */

/* How long each step takes, in order. */
const stepTimes = whole => {
	const each = blockOf(whole, "steps/each"), strip = blockOf(whole, "steps/strip") || blockOf(whole, "summary/step/strip");
	const times = new Map(each ? each.rows.map(({ cells }) => [cells.step.value, cells.time_ms.value]) : []);
	if (strip) totals(strip, strip.series.map(s => s.values)).forEach((ms, i) => { if (!times.has(strip.labels[i])) times.set(strip.labels[i], ms); });
	return times;
};
const stepWords = (times, name, unit = "ms") => times.has(name) ? `Step ${name}: ${told(times.get(name), unit)}` : `Step ${name}`;

/* The rows of a table that has one for each step and member, as their ids say ("…/30/1"): by step, then by member. Steps that lack some
   members are left out. */
const rowsByStep = (whole, id, members) => {
	const table = blockOf(whole, id), by = new Map();
	for (const { id: row, cells } of table ? table.rows : []) {
		const name = cells.step.value;
		if (!by.has(name)) by.set(name, new Map());
		by.get(name).set(row.slice(id.length + name.length + 2), cells);
	}
	for (const [name, of] of by) if (of.size < members) by.delete(name);
	return by;
};
const countOf = table => table ? table.rows.length + (table.left_out || 0) : Infinity;

/* The values of a chart with a bar for each member. */
const ofMembers = ({ series, labels }, by) => name => {
	const of = by.get(name);
	/* Where compute is one, the table parts it. */
	const ms = (cells, key) => key === "compute" ? ms(cells, "high_flops") + ms(cells, "low_flops") : key + "_ms" in cells ? cells[key + "_ms"].value : 0;
	return of && labels.every(label => of.has(label)) && series.map(({ key }) => labels.map(label => ms(of.get(label), key)));
};

/* What of a chart is known by step: of a step the values by series and point, or nothing. */
const BY_STEP = {
	"summary/step/classes": (whole, block) => {
		const strip = blockOf(whole, block.id.replace("summary/step/classes", "steps/strip"));
		return name => {
			const at = strip ? strip.labels.indexOf(name) : -1;
			const parts = block.series.map(({ key }) => strip && strip.series.find(s => s.key === key));
			return at >= 0 && parts.every(part => part) && parts.map(part => [part.values[at]]);
		};
	},
	"steps/roles/chart": (whole, block) => {
		const each = blockOf(whole, "steps/roles/each");
		return name => {
			const rows = each && !each.left_out ? each.rows.filter(({ cells }) => cells.step.value === name) : [];
			return rows.length > 0 && block.series.map(({ key }) => [rows.reduce((sum, { cells }) => sum + cells[key + "_us"].value, 0) / rows.length]);
		};
	},
	"hosts/steps": (whole, block) => ofMembers(block, rowsByStep(whole, "hosts/each-step", block.labels.length)),
	"distributed/latency": (whole, block) => {
		const links = blockOf(whole, "distributed/links"), by = rowsByStep(whole, "distributed/links-step", 0);
		const keys = links.rows.slice(0, block.labels.length).map(({ id }) => id.slice("distributed/links/".length));
		return name => {
			const of = by.get(name);
			return of && keys.every(key => of.has(key) && of.get(key).latency_us.value !== null) && [keys.map(key => of.get(key).latency_us.value)];
		};
	},
	"summary/step/cores": (whole, block) => ofMembers(block, rowsByStep(whole, "distributed/each-step", countOf(blockOf(whole, "distributed/cores")))),
	"distributed/strip": (whole, block) => ofMembers(block, rowsByStep(whole, "distributed/each-step", countOf(blockOf(whole, "distributed/cores")))),
};

/* Says of which step a chart is, or that it stays as it was. */
const tellStep = (figure, times, name, done, place, unit, tail = "") => {
	const words = done ? stepWords(times, name, unit) + tail : "", stays = name && !done ? `Not for step ${name}: the page holds no figures of that step here` : "";
	if (place) {
		caption(figure, words, place);
		if (words && typeof timelineStepLink === "function") place.append(" ", timelineStepLink(name));
	}
	caption(figure, place ? stays : words || stays, null);
	describe(figure, words);
};

/* Where it stands what a chart was drawn for. */
const DRAWN_FOR = { "summary/step/classes": "[id='summary/step'] > header > .aside", "summary/step/cores": "[id='summary/step/by-core'] > header > .aside", "distributed/strip": "[id='distributed/strip-what']" };

const stepCharts = async within => {
	for (const [id, source] of Object.entries(BY_STEP)) for (const figure of all(`figure[id$='${id}']`, within)) {
		const whole = await reportLater(), block = blockOf(whole, figure.id);
		if (!block) continue;
		const valuesOf = source(whole, block), times = stepTimes(whole);
		const other = figure.id in DRAWN_FOR ? document.querySelector(DRAWN_FOR[figure.id]) : null;
		const tail = other ? (/, a column .*/.exec(other.textContent) || [""])[0] : ""; /* that goes on to hold */
		theStep.follow(name => {
			const values = name !== "" && valuesOf(name), done = values && redraw(figure, block, values);
			if (!done) asDrawn(figure);
			/* What has one bar is told with its own length. */
			const one = done && block.chart === "stack";
			tellStep(figure, one ? new Map([[name, totals(block, values)[0]]]) : times, name, done, other, one ? block.unit : "ms", tail);
		});
	}
};

/* Where it is chosen. */

/* Strips with a column a step: a click chooses it; arrows lead from one to the next, Enter chooses. */
const stepStrips = async within => {
	for (const figure of all("figure[id='summary/step/strip'], figure[id$='steps/strip'], figure[id='input-pipeline/strip']", within)) {
		const whole = await reportLater(), block = blockOf(whole, figure.id);
		const [points, height, , left, width] = figure.dataset.axis.split(" ").map(Number);
		/* Of very many a column stands for several. */
		if (!block || points !== block.labels.length || points > 240) continue;
		const plot = figure.querySelector(".plot"), slot = 1 / points, sums = totals(block, block.series.map(s => s.values));
		const over = mark("svg", { class: "picks", height, role: "listbox", "aria-label": "Steps" });
		const options = block.labels.map((name, i) => {
			const words = `Step ${name}: ${told(sums[i], block.unit)}`;
			const option = mark("rect", { role: "option", "aria-label": words, "aria-selected": false, x: (i + left) * slot * 100 + "%", width: width * slot * 100 + "%", height });
			option.dataset.tip = words;
			return option;
		});
		over.append(...options);
		plot.classList.add("picked");
		plot.append(over);
		roving(over, "[role=option]", "ArrowLeft", "ArrowRight");
		plot.addEventListener("click", event => {
			const box = over.getBoundingClientRect(), at = Math.floor((event.clientX - box.left) / box.width / slot);
			if (at in block.labels) theStep.choose(block.labels[at]);
		});
		over.addEventListener("keydown", event => {
			if (event.key === "Escape" && theStep.name) theStep.choose("");
			if (event.key !== "Enter" && event.key !== " ") return;
			event.preventDefault();
			theStep.choose(block.labels[options.indexOf(event.target)]);
		});
		const parts = make("figcaption", "small now");
		if (figure.id.endsWith("steps/strip")) figure.append(parts);
		theStep.follow(name => {
			const at = block.labels.indexOf(name), own = at < 0 ? [] : block.series.filter(s => s.values[at] > 0);
			options.forEach((option, i) => option.setAttribute("aria-selected", i === at));
			parts.textContent = own.length ? `${options[at].dataset.tip} = ${own.map(s => `${s.label} ${told(s.values[at], block.unit)}`).join(" + ")}` : "";
		});
	}
};

/* Tables with a column of steps: rows of the chosen one are marked; a click on a step in them chooses it. */
const STEP_TABLES = ".tb:is([id*='steps/'], [id*='-step'], [id^='torch-memory/'], [id$='distributed/steps'])";
const stepColumn = box => placeOf(box, { title: box.id.endsWith("distributed/steps") ? "Name" : "Step" }); /* the column "Step" there is how long it takes */
const stepTables = within => {
	for (const box of all(STEP_TABLES, within)) {
		const table = box.querySelector("table"), at = stepColumn(box);
		if (at < 0) continue;
		const stepOf = row => row.cells[at] ? row.cells[at].textContent.trim() : "";
		const markRows = () => {
			for (const row of all("tbody tr", table)) {
				if (theStep.name && stepOf(row) === theStep.name) row.setAttribute("aria-current", "true");
				else row.removeAttribute("aria-current");
			}
		};
		theStep.follow(markRows);
		/* Rows come later, too. */
		new MutationObserver(() => { if (theStep.name) markRows(); }).observe(table, { childList: true, subtree: true });
		table.addEventListener("click", event => {
			const cell = event.target.closest("tbody tr > *");
			if (cell && cell === cell.parentElement.cells[at] && !event.target.closest("a, button") && !String(getSelection())) theStep.choose(stepOf(cell.parentElement));
		});
	}
};

/* A list of all steps before a chart. */
const stepLists = async within => {
	for (const figure of all("figure[id='steps/strip'], figure[id='distributed/map']", within)) {
		const names = [...stepTimes(await reportLater()).keys()];
		if (names.length < 2) continue;
		const label = make("label", "choice", "Step "), select = make("select");
		select.append(new Option("all", ""), ...names.map(name => new Option(name, name)));
		label.append(select);
		select.addEventListener("change", () => theStep.choose(select.value));
		theStep.follow(name => { select.value = name; });
		figure.before(label);
	}
};

/* Which step the page shows, wherever it is read, and the ways to the next and back. */
const stepLine = async () => {
	if (!document.querySelector("figure[id$='step/strip'], figure[id$='steps/strip'], [id='distributed/map']")) return;
	const times = stepTimes(await reportLater()), names = [...times.keys()], line = make("p", "step-line"), words = make("b");
	if (names.length < 2) return;
	const button = (text, next) => {
		const made = make("button", undefined, text);
		made.type = "button";
		made.addEventListener("click", () => theStep.choose(next()));
		return made;
	};
	const beside = by => names[names.indexOf(theStep.name) + by];
	const before = button("◂ Previous step", () => beside(-1)), after = button("Next step ▸", () => beside(1));
	line.setAttribute("role", "status");
	line.hidden = true;
	line.append(words, before, after, button("All steps", () => ""));
	document.querySelector("main").append(line);
	theStep.follow(name => {
		line.hidden = !name;
		words.textContent = name && stepWords(times, name);
		before.disabled = !beside(-1);
		after.disabled = !beside(1);
	});
};

const steps = within => {
	stepStrips(within);
	stepCharts(within);
	stepTables(within);
	stepClasses(within);
	stepLists(within);
	stepMaps(within);
};
