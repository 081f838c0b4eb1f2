/* What the timeline says in words: how much is merged, the window as a table, and the keys. */

const KEY_WORDS = [
	["w s, + −", "zoom in, out"], ["a d", "pan"], ["← →", "pan, or select the next event"], ["↑ ↓", "select an event; the row above, below"], ["Enter", "zoom to the selected event"],
	["f", "the whole capture"], ["m", "select the range of the selected event"], ["1 2 3 4", "tools: select, pan, zoom, time"], ["/", "find a name; Enter next, Shift Enter back"], ["n N", "next, previous match"],
	["Esc", "clear"], ["Home End", "start, end of the capture"], ["?", "this list"], ["wheel", "zoom, after a press on the rows; at once with Ctrl; Shift scrolls the rows"], ["double click", "zoom to an event"], ["Shift drag", "pan with any tool"],
];
const MOST_ROWS = 10;

const timelineKeys = () => {
	const fold = make("details", "fold tl-keys"), list = make("ul", "tl-key-list");
	for (const [keys, words] of KEY_WORDS) {
		const item = make("li");
		item.append(make("kbd", undefined, keys), " " + words);
		list.append(item);
	}
	fold.append(make("summary", undefined, "Keys"), list);
	return fold;
};

const timelineWords = tl => {
	const { view, rows, store, pick, marks } = tl, status = make("p", "tl-status"), fold = make("details", "fold tl-table"), place = make("div");
	fold.append(make("summary", undefined, "The window as a table"), place);
	const kept = sum => store.tracks.reduce((all, track) => all + sum(track), 0);
	const events = count => `${Math.round(count).toLocaleString("en")} ${Math.round(count) === 1 ? "event" : "events"}`;
	const every = kept(track => track.events), full = kept(track => track.full.reduce((sum, tile) => sum + tile.spec.count, 0));

	tl.tellWindow = () => {
		const sums = { events: 0, short: 0, about: false }, from = view.from, to = view.to(), n = count => Math.round(count).toLocaleString("en");
		let missing = false;
		for (const row of rows.list) {
			if (!row.track) continue;
			const pieces = piecesOf(store, row.track, from, to, view.scale);
			missing = missing || pieces.missing;
			countIn(pieces, row.track.lanes, from, to, view.scale, sums);
		}
		const px = told(view.scale, "ps"), parts = [];
		if (sums.short > 0) parts.push(make("b", undefined, "Zoomed out: "), `${sums.about ? "about " : ""}${n(sums.short)} of ${events(sums.events)} in this window are shorter than a pixel (${px}) and drawn merged; zoom in to see each. `);
		else if (sums.events > 0) parts.push(`${events(sums.events)} in this window, ${Math.round(sums.events) === 1 ? "" : "each "}longer than a pixel (${px}). `);
		else if (!missing) parts.push("No group that is open has an event in this window. ");
		if (view.coarse) parts.push(make("b", undefined, "Merged here: "), "some of this window is not kept in full in this page; --window or --timeline keep more. ");
		if (tl.flows.shown && tl.flows.many) parts.push(make("b", undefined, "Arrows: "), "too many in this window to be drawn; zoom in, or select an event. ");
		if (tl.flows.shown && tl.flows.missing) parts.push(`${n(tl.flows.missing)} arrows lead to or from events that are not kept in full. `);
		const failed = store.failed ? ` ${n(store.failed)} parts could not be read.` : "";
		parts.push(make("span", "m", `In all: ${events(every)}${tl.events < every ? `, of which ${n(every - tl.events)} are derived from the others` : ""}; ${full >= every ? "all" : n(full)} kept in full. Window: ${told(to - from, "ps")} of ${told(tl.high - tl.low, "ps")}, ${from > 0 ? `from ${told(from, "ps")} on` : "from its start on"}.${failed}`));
		if (missing) parts.unshift("Reading what is in this window… ");
		status.replaceChildren(...parts);
		tl.body.setAttribute("aria-label", `Timeline from ${exactly(from)} to ${exactly(to)}; arrows select events, question mark lists the keys`);
	};

	/* The longest events in sight, for those who cannot see them. */
	tl.tellTable = () => {
		if (!fold.open) return;
		const table = make("table", "t"), head = table.createTHead().insertRow(), body = table.createTBody(), list = pick.longest(MOST_ROWS);
		table.prepend(make("caption", undefined, `The ${list.length} longest events from ${told(view.from, "ps")} to ${told(view.to(), "ps")}, of the groups that are open`));
		["Name", "Track", "Step", "Start", "Duration"].forEach((title, i) => {
			const th = make("th", i > 2 ? "r" : "x", title);
			th.scope = "col";
			head.append(th);
		});
		for (const event of list) {
			const row = body.insertRow(), go = make("button", "tl-link"), step = markAt(marks, event.start);
			go.type = "button";
			go.append(named(tl.texts.of(event.name).slice(0, 120)));
			go.addEventListener("click", () => tl.select(event));
			for (const part of [go, `${plainText(tl.groups[event.track.group].name)} · ${plainText(event.track.name)}`, step ? plainText(step.label) : "–", exactly(event.start), exactly(event.end - event.start)]) row.insertCell().append(part);
			row.cells[3].className = row.cells[4].className = "r";
		}
		place.replaceChildren(scrolled(table, "scroll"));
	};
	fold.addEventListener("toggle", () => tl.tellTable());
	return { status, fold };
};
