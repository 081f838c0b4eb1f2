/* The timeline and the rest of the page: the step that the page shows, and the address, which holds the window, the selected event and the range. */

const TIMELINE = "#timeline/view", ADDRESS_MS = 400;

/* A link to where events of a name are, on a page that has a timeline. */
const timelineLink = name => {
	if (!targetOf(TIMELINE)) return "";
	const link = make("a", "small", "In the timeline");
	link.href = `${TIMELINE}?q=${encodeURIComponent(`"${name}"`)}`;
	return link;
};

const timelineLinks = tl => {
	const { view, marks, store, low, high } = tl;
	const stepOf = name => marks.find(mark => mark.label === name || mark.label === "Step " + name);
	let pause = 0, own = false;
	theStep.follow(name => {
		const mark = name && !own && stepOf(name);
		if (mark) view.show(mark.from_ps, mark.to_ps);
	});
	/* A step of the timeline is that of the page, too. */
	tl.chooseStep = mark => {
		view.show(mark.from_ps, mark.to_ps);
		tl.step = mark;
		const name = mark.label.replace(/^Step /, "");
		own = true;
		if (theStep.name !== name && theStep.followers.length > 1) theStep.choose(name);
		own = false;
	};

	const whole = ps => String(Math.round(ps));
	const written = () => {
		const parts = [`t=${whole(view.from)}..${whole(view.to())}`], { selected, range } = tl;
		if (selected && selected.merged === null) parts.push(`e=${selected.track.id}.${selected.lane}.${whole(selected.start)}`);
		if (range) parts.push(`r=${whole(range.from)}..${whole(range.to)}${range.track ? "," + range.track.id : ""}`);
		if (tl.found()) parts.push("q=" + encodeURIComponent(tl.found()));
		if (tl.look.byName) parts.push("c=name");
		return `${TIMELINE}?${parts.join("&")}`;
	};
	/* Only what the reader does changes the address. */
	tl.keepAddress = () => {
		clearTimeout(pause);
		if (!tl.used) return;
		pause = setTimeout(() => history.replaceState(history.state, "", written()), ADDRESS_MS);
	};
	const numbers = text => text.split("..").map(Number);
	const selectAt = (id, lane, start, tries = 50) => {
		const track = store.tracks.find(one => one.id === id);
		if (!track || !(lane < track.lanes)) return;
		const pieces = piecesOf(store, track, start, start + 1, 0);
		let found = null;
		eachIn(pieces, lane, start - 1, start + 1, (got, i) => { if (!found && !got.merged && Math.abs(got.start[i] - start) < 1) found = { track, lane, start: got.start[i], end: got.end[i], name: got.name[i], merged: null, share: 1 }; });
		if (found) tl.select(found);
		else if ((pieces.missing || store.waiting) && tries > 0) setTimeout(() => selectAt(id, lane, start, tries - 1), AGAIN_MS);
	};
	const read = () => {
		if (!location.hash.startsWith(TIMELINE + "?")) return false;
		const parts = Object.fromEntries(location.hash.slice(TIMELINE.length + 1).split("&").map(part => [part.slice(0, part.indexOf("=")), decodeURIComponent(part.slice(part.indexOf("=") + 1))]));
		if (parts.c === "name") tl.byName(true);
		if (parts.q) tl.search(parts.q, !parts.t);
		if (parts.t) {
			const [from, to] = numbers(parts.t);
			if (from < to && from >= low - (high - low) && to <= high + (high - low)) view.set(from, to);
		}
		if (parts.r) {
			const [times, id] = parts.r.split(","), [from, to] = numbers(times);
			if (from <= to) tl.setRange({ from, to, track: store.tracks.find(track => track.id === id) || null, what: "" });
		}
		if (parts.e) {
			const [g, t, lane, start] = parts.e.split(".").map(Number);
			selectAt(`${g}.${t}`, lane, start);
		}
		return true;
	};
	addEventListener("hashchange", () => { if (read()) tl.box.scrollIntoView(); });
	return read;
};
