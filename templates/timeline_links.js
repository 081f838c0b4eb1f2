/* The timeline and the rest of the page: the step that the page shows, and the address, which holds the window, the selected event and the range. */

const TIMELINE = "#timeline/view", ADDRESS_MS = 400;

/* A link to where events of a name are, on a page that has a timeline. */
const timelineLink = name => {
	if (!targetOf(TIMELINE)) return "";
	const link = make("a", "small", "In the timeline");
	link.href = `${TIMELINE}?q=${encodeURIComponent(`"${name}"`)}`;
	return link;
};

/* What a finding is about, and where memory is fullest, is a link away from the timeline, and leads back to it. */
const timelineFindings = () => {
	const paragraph = document.getElementById("timeline/findings");
	for (const back of paragraph ? all("a[href^='#']", paragraph) : []) {
		const id = decodeURIComponent(back.hash.slice(1)), place = document.getElementById(id);
		if (!place) continue;
		const link = make("a", undefined, "Where it shows best"), list = place.querySelector(":scope > dl.kv");
		link.href = `${TIMELINE}?f=${encodeURIComponent(id)}`;
		if (list) {
			const row = make("div", "to-timeline"), dd = make("dd");
			dd.append(link);
			row.append(make("dt", undefined, "Timeline"), dd);
			list.append(row);
		} else {
			link.textContent = "The peak in the timeline";
			const line = make("p", "small to-timeline");
			line.append(link);
			const head = place.querySelector(":scope > header, :scope > h2, :scope > h3");
			if (head) head.after(line);
			else place.prepend(line);
		}
	}
};

/* A link to a step in the timeline, where the page says which step is chosen. */
const timelineStepLink = name => {
	if (!name || !targetOf(TIMELINE)) return "";
	const link = make("a", "to-timeline", "in the timeline");
	link.href = `${TIMELINE}?s=${encodeURIComponent(name)}`;
	return link;
};

const timelineLinks = tl => {
	const { view, marks, store, low, high } = tl, address = "#" + tl.figure.id, ofProfile = address === TIMELINE;
	const stepOf = name => marks.find(mark => mark.label === name || mark.label === "Step " + name);
	let pause = 0, own = false;
	if (ofProfile) theStep.follow(name => {
		const mark = name && !own && stepOf(name);
		if (mark) tl.goTo(mark.from_ps, mark.to_ps);
	});
	/* A step of the timeline is that of the page, too. */
	tl.chooseStep = mark => {
		tl.goTo(mark.from_ps, mark.to_ps);
		tl.step = mark;
		const name = mark.label.replace(/^Step /, "");
		own = true;
		if (ofProfile && theStep.name !== name && theStep.followers.length > 1) theStep.choose(name);
		own = false;
	};

	const whole = ps => String(Math.round(ps));
	const written = () => {
		const parts = [`t=${whole(view.from)}..${whole(view.to())}`], { selected, range } = tl;
		if (selected && selected.merged === null) parts.push(`e=${selected.track.id}.${selected.lane}.${whole(selected.start)}`);
		if (range) parts.push(`r=${whole(range.from)}..${whole(range.to)}${range.track ? "," + range.track.id : ""}`);
		if (tl.found()) parts.push("q=" + encodeURIComponent(tl.found()));
		if (tl.look.byName) parts.push("c=name");
		if (tl.flows.shown) parts.push("a=1");
		return `${address}?${parts.join("&")}`;
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
		const { event, missing } = tl.pick.starting(track, lane, start);
		if (event) tl.select(event);
		else if (missing && tries > 0) setTimeout(() => selectAt(id, lane, start, tries - 1), AGAIN_MS);
	};
	const read = () => {
		if (!location.hash.startsWith(address + "?")) return false;
		const parts = Object.fromEntries(location.hash.slice(address.length + 1).split("&").map(part => [part.slice(0, part.indexOf("=")), decodeURIComponent(part.slice(part.indexOf("=") + 1))]));
		if (parts.c === "name") tl.byName(true);
		const finding = tl.findings.find(one => one.finding === parts.f), mark = parts.s && stepOf(parts.s);
		if (finding) {
			tl.goTo(finding.from_ps, finding.to_ps, 0.5);
			tl.measure({ from: finding.from_ps, to: finding.to_ps, what: finding.label });
		} else if (mark) tl.goTo(mark.from_ps, mark.to_ps);
		if (parts.a && tl.showFlows) tl.showFlows(true);
		if (parts.q) tl.search(parts.q, !parts.t);
		if (parts.t) {
			const [from, to] = numbers(parts.t);
			if (from < to && from >= low - (high - low) && to <= high + (high - low)) tl.goTo(from, to, 0);
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
