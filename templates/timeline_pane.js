/* Below the rows of the timeline: the selected event, and the sums over a range. */

const RANGE_ROWS = 100, AGAIN_MS = 120;

/* Rows of the report's tables of operations, and where they have one their cards, by name. */
const operationRows = whole => {
	const rows = new Map();
	const look = (blocks, wanted) => {
		for (const block of blocks || []) {
			if (block.kind === "table" && wanted) for (const { id, cells } of block.rows || []) {
				const { value: name, href = "" } = cells.name || {};
				if (typeof name === "string" && !rows.has(name)) rows.set(name, { row: id, card: href.startsWith("#operations/card/") ? href : "" });
			}
			look(block.blocks, wanted);
		}
	};
	for (const section of whole.sections) look([section], /^(operations|kernels|ops|torch)/.test(section.id));
	return rows;
};

const named = name => make("bdi", "op", plainText(name));

const timelinePane = tl => {
	const { store, marks, names, pick, view } = tl, box = make("div", "tl-pane"), about = make("section", "tl-event"), range = make("section", "tl-range"), said = make("p", "sr");
	said.setAttribute("role", "status");
	about.setAttribute("aria-label", "Selected event");
	range.setAttribute("aria-label", "Range");
	about.hidden = range.hidden = true;
	box.append(said, about, range);

	const term = (list, name, ...values) => {
		const row = make("div"), dd = make("dd");
		dd.append(...values);
		row.append(make("dt", undefined, name), dd);
		list.append(row);
	};
	const act = (text, call) => {
		const button = make("button", "tl-link", text);
		button.type = "button";
		button.addEventListener("click", call);
		return button;
	};
	const nameOf = event => (names[event.name] || { name: "?" }).name;
	const trackWords = track => `${plainText(track.name)} · ${plainText(tl.groups[track.group].name)}`;

	/* Self time waits for tiles that are on their way. */
	let turn = 0;
	const tellSelf = (event, place, mine) => {
		if (mine !== turn) return;
		const { self, nested, missing, about: rough } = selfOf(store, event);
		if (missing) { setTimeout(() => tellSelf(event, place, mine), AGAIN_MS); place.textContent = "…"; return; }
		const length = event.end - event.start;
		place.textContent = `${rough ? "about " : ""}${exactly(self)}${nested ? `, ${nested.toLocaleString("en")} nested` : ", nothing nested"}${length > 0 ? ` · ${told(self / length, "share")} of it` : ""}`;
	};
	/* What led to it and what it leads to, with the events' names once they are read. */
	const MOST_TOLD = 5;
	const nameArrow = (button, { track, lane, start }, mine, tries = 50) => {
		if (mine !== turn) return;
		const { event, missing } = pick.starting(track, lane, start);
		if (event) button.replaceChildren(named(nameOf(event).slice(0, 120)));
		else if (missing && tries > 0) setTimeout(() => nameArrow(button, { track, lane, start }, mine, tries - 1), AGAIN_MS);
	};
	const tellArrows = async (event, list, mine) => {
		if (event.merged !== null || !tl.flows.count) return;
		const found = await tl.flows.of(event), told = new Map();
		if (mine !== turn) return;
		tl.arrows = found;
		view.draw();
		for (const one of found) {
			const words = (FLOW_WORDS[one.kind] || [one.kind, one.kind])[one.leads ? 1 : 0];
			told.set(words, [...told.get(words) || [], one]);
		}
		for (const [words, ends] of told) {
			const parts = [];
			for (const end of ends.slice(0, MOST_TOLD)) {
				const go = act("…", () => { const { event: other } = pick.starting(end.track, end.lane, end.start); if (other) { tl.select(other); view.reveal(other.start, other.end); } });
				nameArrow(go, end, mine);
				parts.push(parts.length ? "; " : "", go, make("span", "m", ` on ${trackWords(end.track)}, ${exactly(Math.abs(end.start - event.start))} ${end.start >= event.start ? "later" : "earlier"}`));
			}
			if (ends.length > MOST_TOLD) parts.push(`; and ${(ends.length - MOST_TOLD).toLocaleString("en")} more`);
			term(list, words, ...parts);
			list.lastChild.after(list.querySelector(".tl-go"));
		}
	};
	tl.showEvent = event => {
		const mine = ++turn;
		about.hidden = !event;
		about.replaceChildren();
		if (!event) return;
		const list = make("dl", "kv"), head = make("h4", undefined, "Selected "), self = make("span"), step = markAt(marks, event.start), more = (names[event.name] || {}).more, whole = event.merged === null;
		const exact = whole || event.merged === 1;
		head.append(named(nameOf(event)));
		about.append(head, list);
		term(list, "Track", trackWords(event.track), event.track.lanes > 1 ? make("span", "m", `, row ${event.lane + 1} of ${event.track.lanes}`) : "");
		if (!exact) term(list, "Merged", `${event.merged ? `${event.merged.toLocaleString("en")} events` : "continues"}; this name covers most of the time · `, act("zoom in", () => view.show(event.start, event.end)));
		term(list, "Start", exactly(event.start));
		term(list, "Duration", make("b", undefined, (whole ? "" : "about ") + exactly(event.end - event.start)), step && event.end > event.start && step.to_ps > step.from_ps ? ` · ${told((event.end - event.start) / (step.to_ps - step.from_ps), "share")} of the step` : "");
		if (exact) term(list, "Self time", self);
		if (step) term(list, "Step", act(plainText(step.label), () => tl.chooseStep(step)));
		if (more) term(list, "More", named(more));
		if (event.argument && tl.called[event.argument - 1]) term(list, "Arguments", named(tl.called[event.argument - 1].text));
		tellArrows(event, list, mine);
		const operation = tl.operations.get(nameOf(event));
		const links = [act("zoom to it", () => view.show(event.start, event.end)), " · ", act("next with this name", () => tl.search(tl.nameText(nameOf(event))))];
		const lead = (words, href) => {
			const link = make("a", undefined, words);
			link.href = href;
			links.push(" · ", link);
		};
		if (operation && operation.card) lead("its card", operation.card);
		if (operation) lead("its row among the operations", "#" + operation.row);
		term(list, "Go to", ...links);
		list.lastChild.className = "tl-go";
		if (exact) tellSelf(event, self, mine);
		said.textContent = `${plainText(nameOf(event)).slice(0, 200)}, ${trackWords(event.track)}, starts ${exactly(event.start)}, takes ${exactly(event.end - event.start)}`;
	};

	/* The range: of one track, or of all that are open. */
	const COLUMNS = [
		{ key: "name", title: "Name" }, { key: "count", title: "Count", text: row => row.count.toLocaleString("en") },
		{ key: "total", title: "Total, ms", text: row => places(row.total / 1e9, 3) }, { key: "self", title: "Self, ms", text: row => places(Math.max(0, row.self) / 1e9, 3) },
		{ key: "mean", title: "Mean, ms", text: row => places(row.mean / 1e9, 3) }, { key: "share", title: "Share", text: row => told(Math.max(0, row.share), "share") },
	];
	let by = "self", down = true, ranged = 0, shown = { rows: [], all: null };
	const nameText = row => row.name === null ? "All" : plainText((names[row.name] || { name: "?" }).name);
	const textsOf = row => COLUMNS.map(({ text }) => text ? text(row) : nameText(row));
	const sortRows = () => shown.rows.sort((a, b) => (by === "name" ? compare(nameText(a), nameText(b)) : a[by] - b[by]) * (down ? -1 : 1) || compare(nameText(a), nameText(b)));
	const tableOfRange = () => {
		const table = make("table", "t half"), head = table.createTHead().insertRow(), body = table.createTBody();
		table.prepend(make("caption", undefined, `By name; self time is without what is nested`));
		for (const column of COLUMNS) {
			const th = make("th", column.text ? "r" : "x"), button = make("button", undefined, column.title);
			th.scope = "col";
			if (column.key === by) th.setAttribute("aria-sort", down ? "descending" : "ascending");
			button.type = "button";
			button.className = "h";
			button.addEventListener("click", () => {
				down = column.key === by ? !down : column.key !== "name";
				by = column.key;
				sortRows();
				tellRange();
				range.querySelector("th[aria-sort] button").focus();
			});
			th.append(button);
			head.append(th);
		}
		const add = (row, className) => {
			const line = body.insertRow();
			if (className) line.className = className;
			textsOf(row).forEach((text, i) => {
				const cell = make("td", i ? "r" : "x tl-named");
				if (i) cell.textContent = text;
				else if (row.name === null) cell.textContent = text;
				else {
					const swatch = make("span", "sw"), cut = text.length > 120 ? text.slice(0, 120) + "…" : text;
					swatch.style.background = tl.look.shades(row.name).fill;
					cell.append(swatch, named(cut));
				}
				line.append(cell);
			});
		};
		shown.rows.slice(0, RANGE_ROWS).forEach(row => add(row));
		if (shown.all) add(shown.all, "tot");
		return table;
	};
	const tellRange = () => {
		const { from, to } = tl.range, head = make("h4", undefined, "Range "), tools = make("div", "tb"), label = make("label", "choice", "of "), select = make("select");
		head.append(make("span", "m", `${exactly(from)} to ${exactly(to)} = ${exactly(to - from)}`));
		tl.groups.forEach((group, g) => {
			const part = make("optgroup");
			part.label = plainText(group.name).slice(0, 80);
			for (const track of store.tracks) if (track.group === g) part.append(new Option(plainText(track.name).slice(0, 80), track.id));
			select.append(part);
		});
		select.append(new Option("all tracks that are open", ""));
		select.value = tl.range.track ? tl.range.track.id : "";
		select.addEventListener("change", () => tl.setRange({ ...tl.range, track: store.tracks.find(track => track.id === select.value) || null }));
		label.append(select);
		tools.id = tl.figure.id.replace(/view$/, "range");
		const table = tableOfRange(), left = shown.rows.length - RANGE_ROWS;
		tools.append(scrolled(table, "scroll rows"));
		copies(tools, () => [COLUMNS.map(({ title }) => title), ...[...shown.rows, ...shown.all ? [shown.all] : []].map(textsOf)]);
		const notes = [left > 0 ? `${left.toLocaleString("en")} more names are in the copy.` : "", shown.about ? "Some of it is not kept in full in this page: there the name that covers most of a cell counts for all of it." : "", shown.missing ? "Reading…" : ""].filter(text => text);
		range.replaceChildren(head, act("zoom to it", () => view.set(from, to)), " · ", act("clear", () => tl.setRange(null)), label, tools, ...notes.map(text => make("p", "small", text)));
	};
	tl.showRange = async () => {
		const mine = ++ranged;
		range.hidden = !tl.range;
		if (!tl.range || tl.range.dragging) return;
		const { from, to, track } = tl.range, open = tl.rows.tracks(), tracks = track ? [track] : open;
		const { by: sums, about: rough, missing } = await sumsOf(store, tracks, from, to);
		if (mine !== ranged) return;
		/* Operations of several programs may have one name. */
		const byText = new Map();
		for (const sum of sums.values()) {
			const text = names[sum.name] ? names[sum.name].name : "?", same = byText.get(text);
			if (!same) byText.set(text, { ...sum });
			else for (const key of ["count", "total", "self"]) same[key] += sum[key];
		}
		const rows = [...byText.values()].map(sum => ({ ...sum, mean: sum.count ? sum.total / sum.count : 0, share: to > from ? sum.self / (to - from) / tracks.length : 0 }));
		const add = key => rows.reduce((sum, row) => sum + row[key], 0), count = add("count"), total = add("total");
		shown = { rows, about: rough, missing, all: { name: null, count, total, self: add("self"), mean: count ? total / count : 0, share: add("share") } };
		sortRows();
		tellRange();
		if (missing) setTimeout(() => { if (mine === ranged) tl.showRange(); }, AGAIN_MS);
	};
	tl.rangeRows = () => shown;
	return box;
};
