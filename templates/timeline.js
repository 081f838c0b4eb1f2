/* The timeline: its parts put together above the drawing that stands there without a script and on paper. */

const TIP_CHARACTERS = 160;

const SECTIONS_OF_MEMORY = ["memory-over-time", "torch-memory"];
const FINDING_LOOKS = { bad: ["▲", "bad"], warn: ["■", "warn"] };
/* Of a finding its glyph and colour, as its card has them. */
const findingLook = id => {
	const card = document.getElementById(id), key = card && Object.keys(FINDING_LOOKS).find(name => card.querySelector(":scope > header ." + name));
	const [glyph, colour] = FINDING_LOOKS[key] || ["▲", "ink2"];
	return { glyph, colour };
};

/* What is selected, and what is measured, over the rows. */
const timelineOverlays = tl => {
	const { view, look, rows } = tl;
	const band = (pen, { from, to }, fill) => {
		const left = view.xOf(from), right = view.xOf(to);
		pen.fillStyle = look.accent;
		pen.globalAlpha = 0.1;
		if (fill) pen.fillRect(left, 0, right - left, view.height);
		pen.globalAlpha = 1;
		for (const x of [left, right]) pen.fillRect(Math.round(x), 0, Math.max(1, view.dpr), view.height);
	};
	tl.overlays.push((pen, top) => {
		for (const { from_ps: from, glyph, colour } of tl.findings) if (glyph) {
			pen.fillStyle = look[colour];
			for (let y = 0; y < view.height; y += 4 * view.dpr) pen.fillRect(Math.round(view.xOf(from)), y, view.dpr, view.dpr);
		}
		if (tl.measured) band(pen, tl.measured, true);
		const { selected } = tl, row = selected && rows.rowOf(selected.track);
		if (!row || selected.lane >= row.lanes) return;
		const { y, height } = view.laneBox(row, selected.lane), left = Math.max(-4, view.xOf(selected.start)), right = Math.min(view.width + 4, view.xOf(selected.end)), line = 1.5 * view.dpr;
		pen.strokeStyle = look.ink;
		pen.lineWidth = line;
		pen.strokeRect(Math.floor(left) + line / 2, y - top + line / 2, Math.max(2 * view.dpr, Math.floor(right) - Math.floor(left) - line / 2), height - line);
	});
};

const timelineTools = (tl, search) => {
	const bar = make("div", "tl-bar"), press = (text, label, call, className = "tl-button") => {
		const button = make("button", className, text);
		button.type = "button";
		if (label) { button.setAttribute("aria-label", label); button.title = label; }
		button.addEventListener("click", call);
		return button;
	};
	const choice = (label, entries, now, choose) => {
		const group = make("span", "tl-choice");
		group.setAttribute("role", "group");
		group.setAttribute("aria-label", label);
		const buttons = entries.map(([value, text, key]) => {
			const button = press(text, "", () => choose(value));
			if (key) button.append(make("kbd", undefined, key));
			group.append(button);
			return [value, button];
		});
		const tell = value => buttons.forEach(([own, button]) => button.setAttribute("aria-pressed", own === value));
		tell(now);
		return [group, tell];
	};
	const [tools, tellTool] = choice("Tool", [["select", "select", "1"], ["pan", "pan", "2"], ["zoom", "zoom", "3"], ["time", "time", "4"]], tl.tool, value => tl.setTool(value));
	const [colours, tellColours] = choice("Colour", [[false, "by class"], [true, "by name"]], false, value => tl.byName(value));
	tl.setTool = value => {
		tl.tool = value;
		tellTool(value);
		tl.body.dataset.tool = value;
		tl.measure(tl.range);
	};
	tl.byName = value => {
		tl.look.by(value);
		tellColours(value);
		tl.view.repaint();
		tl.keepAddress();
	};
	bar.append(tools, search.box, colours);
	if (tl.flows.count) {
		const arrows = make("label", "tl-flows"), box = make("input");
		box.type = "checkbox";
		box.addEventListener("change", () => tl.showFlows(box.checked));
		arrows.append(box, " arrows");
		arrows.title = `From launch to work, from forward to backward, from start to end: ${tl.flows.count.toLocaleString("en")} are kept`;
		bar.append(arrows);
		tl.showFlows = value => {
			box.checked = tl.flows.shown = value;
			tl.flows.load().then(() => { tl.view.draw(); tl.tellWindow(); });
			tl.keepAddress();
		};
	}
	if (tl.marks.length) {
		const step = make("label", "tl-step", "step "), field = make("input", "find");
		field.setAttribute("inputmode", "numeric");
		field.setAttribute("aria-label", "Go to step");
		field.style.setProperty("--digits", tl.marks.reduce((most, mark) => Math.max(most, mark.label.length), 1));
		step.append(field);
		const to = mark => { if (mark) { field.value = mark.label; tl.chooseStep(mark); } };
		const at = () => tl.marks.findIndex(mark => mark.to_ps > (tl.view.from + tl.view.to()) / 2);
		field.addEventListener("change", () => to(tl.marks.find(mark => mark.label === field.value.trim())));
		bar.append(step, press("◂", "Previous step", () => to(tl.marks[at() - 1])), press("▸", "Next step", () => to(tl.marks[at() + 1])));
		tl.tellStep = () => { const mark = tl.marks[at()]; if (document.activeElement !== field) field.title = field.value = mark && mark.from_ps < tl.view.to() ? mark.label : ""; };
	}
	const zooms = make("span", "tl-choice");
	zooms.append(press("−", "Zoom out", () => tl.view.zoom(1 / KEY_ZOOM)), press("+", "Zoom in", () => tl.view.zoom(KEY_ZOOM)), press("fit", "Fit the whole capture", () => tl.view.fit()), press("?", "Keys", () => tl.keys()));
	bar.append(zooms);
	return bar;
};

const builtTimeline = (figure, block) => {
	const { groups, names, events, marks = [], arguments: called = [], low_ps: low = 0, high_ps: high } = block;
	const tl = { groups, names, events, called, marks: [...marks].sort((a, b) => a.from_ps - b.from_ps), inferred: Boolean(block.inferred), low, high, tool: matchMedia("(pointer: coarse)").matches ? "pan" : "select", overlays: [], resized: [], selected: null, range: null, measured: null, hits: null, pointed: null, used: false, operations: new Map() };
	tl.findings = (block.findings || []).map(finding => ({ ...finding, ...findingLook(finding.finding) }));
	const box = tl.box = make("div", "tl"), mapLine = make("div", "tl-line"), headLine = make("div", "tl-line"), headName = tl.headName = make("div", "tl-side"), tip = make("div", "tip");
	tl.figure = figure;
	tl.map = make("canvas", "tl-map");
	tl.head = make("canvas", "tl-head");
	tl.scroll = make("div", "tl-scroll");
	tl.plot = make("div", "tl-plot");
	tl.body = make("canvas", "tl-body");
	tl.body.tabIndex = 0;
	tl.body.setAttribute("role", "application");
	tl.body.setAttribute("aria-roledescription", "timeline");
	box.setAttribute("role", "group");
	box.setAttribute("aria-label", "Timeline");
	headName.append("ms", make("span", "wide", " from the start"));
	/* Where memory is fullest is looked for as findings are, and is none. */
	const named = tl.findings.some(({ finding }) => !SECTIONS_OF_MEMORY.includes(finding));
	if (tl.findings.length) headName.append(make("div", "tl-side-findings", named ? "Findings" : "Memory peak"));
	mapLine.append(make("div", "tl-side"), tl.map);
	headLine.append(headName, tl.head);
	const side = make("div", "tl-names");
	tl.plot.append(tl.body);
	tl.scroll.append(side, tl.plot);
	tip.hidden = true;

	tl.store = tileStore(groups, tile => tl.view.arrived(tile));
	/* What the drawing ends with, the slowest step. */
	const drawn = (block.windows || []).at(-1), drawnPs = drawn ? drawn.length * UNITS[block.unit][1] : 0, first = drawnPs > 0 ? { from: drawn.from_ps, to: drawn.from_ps + drawnPs } : { from: low, to: high };
	tl.rows = timelineRows(groups, tl.store.tracks, first);
	/* Colours are read before anything of the page changes: it need not be laid out for them. */
	tl.look = timelineLook(figure, names);
	figure.prepend(box);
	tl.texts = barTexts(names);
	tl.view = timelineView(tl);
	tl.pick = timelinePick(tl);
	const search = timelineSearch(tl), { status, fold } = timelineWords(tl), keys = timelineKeys(), pane = timelinePane(tl), { view } = tl;

	tl.measure = measured => {
		tl.measured = measured && { ...measured, words: `${exactly(measured.to - measured.from)}${measured.what ? `, snapped to ${measured.what.slice(0, 60)}` : ""}` };
		view.draw();
	};
	tl.setRange = range => {
		tl.range = range;
		tl.measure(range);
		tl.showRange();
		tl.keepAddress();
	};
	tl.select = event => {
		tl.selected = event;
		tl.arrows = null;
		tl.showEvent(event);
		if (event) {
			if (tl.rows.show(event.track, event.lane)) laid();
			const row = tl.rows.rowOf(event.track), top = row.y + event.lane * row.pitch;
			if (top < tl.scroll.scrollTop) tl.scroll.scrollTop = top - ROW.group;
			else if (top + row.pitch * 2 > tl.scroll.scrollTop + tl.scroll.clientHeight) tl.scroll.scrollTop = top + 2 * row.pitch - tl.scroll.clientHeight + ROW.above;
		}
		view.draw();
		tl.keepAddress();
	};
	tl.point = (place, event) => {
		tl.pointed = place;
		const found = place && tl.pick.at(place.x, place.y);
		const counter = place && !found && tl.pick.counter(place.x, place.y);
		tip.hidden = !found && !counter;
		if (tip.hidden) return;
		const name = found ? tl.texts.of(found.name) : "";
		tip.textContent = counter ? `${counter.name} · ${told(counter.value, counter.unit)}; ${counter.how}` : `${name.length > TIP_CHARACTERS ? name.slice(0, TIP_CHARACTERS) + "…" : name} · ${found.merged > 1 ? `${found.merged.toLocaleString("en")} events merged` : exactly(found.end - found.start)}${tl.rows.rowOf(found.track) ? "" : ` · ${plainText(found.track.name)}`}`;
		tip.style.left = Math.max(8, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + scrollX + "px";
		tip.style.top = event.clientY + 18 + scrollY + "px";
	};
	tl.keys = () => {
		keys.open = !keys.open;
		if (keys.open) keys.scrollIntoView({ block: "nearest" });
	};
	tl.escape = () => {
		if (!search.list.hidden) search.list.hidden = true;
		else if (keys.open) keys.open = false;
		else if (tl.measured && !tl.range) tl.measure(null);
		else if (tl.range) tl.setRange(null);
		else if (tl.selected) tl.select(null);
		else search.clear();
	};
	/* Whether a track has an event in sight; undefined: what says so is still read. */
	const isSeen = track => {
		if (track.start >= view.to() || track.end <= view.from) return false;
		const pieces = piecesOf(tl.store, track, view.from, view.to(), view.scale);
		let seen = false;
		for (let lane = 0; lane < track.lanes && !seen; lane++) eachIn(pieces, lane, view.from, view.to(), () => { seen = true; });
		return seen || (pieces.missing ? undefined : false);
	};
	view.whole = () => {
		const tracks = tl.leads ? tl.rows.tracks() : [], seen = tracks.map(isSeen);
		if (!tl.leads || seen.includes(undefined)) return;
		tl.leads = false;
		if (tl.rows.fold(tracks.filter((_, i) => !seen[i]))) laid();
	};
	tl.settled = () => {
		if (tl.rows.unfold([...tl.rows.folded].filter(isSeen))) laid();
		tl.tellWindow();
		tl.tellTable();
		tl.tellMatches();
		if (tl.tellStep) tl.tellStep();
		tl.keepAddress();
	};
	const fillNames = rowNames(side, tl.rows, groups, () => laid());
	const laid = () => {
		fillNames();
		view.laidOut();
	};
	/* A stretch that something leads to, with rows that have events then. */
	tl.goTo = (from, to, room) => {
		tl.leads = true;
		if (tl.rows.bring({ from, to })) laid();
		view.show(from, to, room);
	};
	tl.flows = timelineFlows(tl, block.flows || []);
	timelineOverlays(tl);
	timelineHead(tl);
	timelineMap(tl);
	const bar = timelineTools(tl, search);
	box.append(bar, search.list, mapLine, headLine, tl.scroll, status, pane, keys, fold);
	document.body.append(tip);
	figure.classList.add("tl-live");
	tl.setTool(tl.tool);
	timelineInput(tl);
	const readAddress = timelineLinks(tl);
	laid();
	view.fit();
	if (drawnPs > 0) tl.goTo(first.from, first.to, 0.4); /* and what is beside it */
	if (readAddress()) box.scrollIntoView();
	new ResizeObserver(() => view.resize()).observe(tl.plot);
	for (const kind of ["pointerdown", "keydown", "wheel"]) box.addEventListener(kind, () => { tl.used = true; }, { passive: true, capture: true });
	const restyle = () => {
		tl.look.read();
		view.repaint();
	};
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
	/* Another zoom of the page, or another screen. */
	const watchPixels = () => matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => { view.resize(); watchPixels(); }, { once: true });
	watchPixels();
	return tl;
};

/* Made when it comes near, or is linked to. */
const timelineOf = figure => {
	let built = false;
	const build = async () => {
		if (built) return;
		built = true;
		const whole = await report(), block = blockOf(whole, figure.id);
		if (!block || !block.groups || !block.groups.some(group => group.tracks.length)) return;
		figure.timeline = builtTimeline(figure, block);
		figure.timeline.operations = figure.id === TIMELINE.slice(1) ? operationRows(whole) : new Map();
		await figure.timeline.view.drawn;
	};
	const linked = () => location.hash.split("?")[0] === "#" + figure.id;
	addEventListener("hashchange", () => { if (linked()) build(); });
	if (linked()) {
		drawnFirst = build();
		return;
	}
	const near = new IntersectionObserver(entries => {
		if (!entries.some(entry => entry.isIntersecting)) return;
		near.disconnect();
		build();
	}, { rootMargin: "600px" });
	near.observe(figure);
};
/* That of the profile, and those of a graph's nodes and of the whole run. */
const timelines = within => {
	const figures = all("figure[id^='timeline/'][id$='view']", within);
	if (figures.length) timelineFindings();
	figures.forEach(timelineOf);
};
