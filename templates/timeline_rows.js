/* The rows of the timeline: groups that open and close, their tracks, and of each track its lanes. */

const ROW = { counter: 32, group: 20, lane: 18, thin: 13, gap: 1, above: 2, fold: 22, shown: 6, openPx: 420, thinFrom: 4, inner: 16, most: 4 };

/* Lanes of a track that is not opened: what a program does comes first, and the functions of Python in which it does it are left out. */
const closedLanesOf = track => Math.min(ROW.shown, track.upper);

/* What others wait for, or what the section tells of, comes first. */
const inOrder = groups => groups.map((_, g) => g).sort((a, b) => Boolean(groups[b].first) - Boolean(groups[a].first));

/* Those with events in a window. Long names are hard to compare where groups are alike: one of them is open at first. */
const openAtFirst = (groups, tracks, { from, to }) => {
	const seen = new Set();
	let px = 0;
	const open = groups.map(() => false);
	for (const g of inOrder(groups)) {
		const group = groups[g], alike = group.tracks.map(track => track.kind + track.name).join("\n");
		const here = tracks.some(track => track.group === g && track.start < to && track.end > from) && !seen.has(alike) && px < ROW.openPx;
		if (!here) continue;
		open[g] = true;
		seen.add(alike);
		px += (group.counters || []).length * ROW.counter;
		for (const track of group.tracks) px += Math.min(ROW.shown, track.upper_lanes || track.lanes) * ROW.thin;
	}
	return open;
};

/* What stands for a closed group: of its operations, or else of what it has, the track with most events. */
const mainKind = tracks => ["ops", "stream", "thread", "modules"].find(kind => tracks.some(track => track.kind === kind));
const mainTracks = tracks => {
	const kind = mainKind(tracks);
	return tracks.filter(track => !kind || track.kind === kind);
};
const byEvents = tracks => tracks.toSorted((a, b) => b.events - a.events);
/* Of a device each stream has a line of its own, as far as there is room: those with fewest events share the last, the least of them uppermost. */
const closedLanes = tracks => {
	const main = mainTracks(tracks), least = byEvents(main);
	if (!/^(ops|stream)$/.test(mainKind(tracks))) return [least.slice(0, 1)];
	const shared = main.length > ROW.most ? least.slice(ROW.most - 1) : [];
	return [...main.filter(track => !shared.includes(track)).map(track => [track]), ...shared.length ? [shared] : []];
};
const closedWords = (lanes, tracks) => lanes.length > 1 ? `; from above: ${lanes.map(own => own.map(({ name }) => plainText(name)).join(" and ")).join(", ")}` : mainTracks(tracks).length > 1 ? `; drawn is ${plainText(lanes[0][0].name)}` : "";

const blankWords = tracks => {
	const kinds = new Set(tracks.map(({ kind }) => kind)), kind = kinds.size === 1 && kinds.has("thread") ? "thread" : kinds.size === 1 && kinds.has("stream") ? "stream" : "track";
	return `${tracks.length} ${kind}${tracks.length === 1 ? "" : "s"}`;
};

/* Rows have lanes, and what is drawn in each: `parts`. */
const timelineRows = (groups, tracks, first) => {
	const rows = { list: [], height: 0, open: openAtFirst(groups, tracks, first), all: new Set(), folded: new Set() }, order = inOrder(groups);
	const heightOf = track => { const { lanes, pitch } = lanesOf(track); return lanes * pitch + 2 * ROW.above; };
	const lanesOf = track => { const lanes = rows.all.has(track.id) ? track.lanes : closedLanesOf(track); return { lanes, pitch: lanes < ROW.thinFrom ? ROW.lane : ROW.thin }; };
	/* y of each row, from the top. Of a track with many lanes some are shown, until it is opened. */
	rows.lay = () => {
		let y = 0;
		rows.list = [];
		const add = row => {
			rows.list.push({ y, parts: [], ...row });
			y += row.height;
		};
		for (const g of order) {
			const group = groups[g], own = tracks.filter(track => track.group === g), open = rows.open[g], closed = open ? [] : closedLanes(own), lanes = Math.max(1, closed.length), pitch = lanes > 1 ? Math.floor(ROW.inner / lanes) : ROW.group;
			const note = [group.note, group.lags ? "straggler" : ""].filter(word => word).join(", ");
			add({ group: g, name: group.name, words: open ? "" : closedWords(closed, own), note, height: note ? ROW.counter : ROW.group, lanes, parts: closed.map(some => some.map(track => ({ track, lane: 0 }))), pitch, bar: lanes > 1 ? pitch - ROW.gap : 10, top: lanes > 1 ? Math.floor((ROW.group - lanes * pitch + ROW.gap) / 2) : 5 });
			for (const track of open ? own : []) {
				if (rows.folded.has(track)) continue;
				const { lanes, pitch } = lanesOf(track);
				add({ track, name: track.name, height: heightOf(track), lanes, parts: Array.from({ length: lanes }, (_, lane) => [{ track, lane }]), pitch, bar: pitch - ROW.gap, top: ROW.above });
			}
			const blank = open ? own.filter(track => rows.folded.has(track)) : [];
			if (blank.length) add({ fold: g, name: blankWords(blank), words: `: ${blank.map(track => plainText(track.name)).join(", ")}`, note: "no event here", height: ROW.fold, lanes: 0 });
			for (const counter of open && group.counters || []) add({ counter, name: counter.name, note: `0 to ${counter.unit === "share" ? "100\u202f%" : told(counter.top, counter.unit)}`, height: ROW.counter, lanes: 0 });
		}
		rows.height = y;
	};
	rows.at = y => rows.list.find(row => y >= row.y && y < row.y + row.height);
	/* The row and lane at a height; outside of lanes the nearest. */
	rows.laneAt = y => {
		const row = rows.at(y);
		return row && row.parts.length ? { row, lane: Math.max(0, Math.min(row.lanes - 1, Math.floor((y - row.y - row.top) / row.pitch))) } : null;
	};
	rows.rowOf = track => rows.list.find(row => row.track === track);
	/* A track is brought in sight with the lane. */
	rows.show = (track, lane) => {
		rows.folded.delete(track);
		const row = rows.rowOf(track);
		if (row && lane < row.lanes) return false;
		rows.open[track.group] = true;
		if (lane >= closedLanesOf(track)) rows.all.add(track.id);
		rows.lay();
		return true;
	};
	/* Where no group that is open has an event in a window, those are opened that have. */
	rows.bring = window => {
		if (tracks.some(track => rows.open[track.group] && track.start < window.to && track.end > window.from)) return false;
		const open = openAtFirst(groups, tracks, window);
		if (!open.includes(true)) return false;
		rows.open = open;
		rows.lay();
		return true;
	};
	/* Of the groups that are open. */
	rows.tracks = () => tracks.filter(track => rows.open[track.group]);
	/* Tracks without an event in a window that something leads to are one row; each has its own again from when the window has events of it, or
	   the row is pressed. Both say whether rows changed. */
	rows.fold = blank => {
		const before = rows.folded;
		rows.folded = new Set(groups.flatMap((_, g) => {
			const own = blank.filter(track => track.group === g);
			return own.reduce((sum, track) => sum + heightOf(track), 0) > ROW.fold ? own : [];
		}));
		if (rows.folded.size === before.size && [...before].every(track => rows.folded.has(track))) return false;
		rows.lay();
		return true;
	};
	rows.unfold = some => {
		if (!some.length) return false;
		for (const track of some) rows.folded.delete(track);
		rows.lay();
		return true;
	};
	rows.lay();
	return rows;
};

/* How much of a name tells it from the one most alike, at its end: "w-1" of "TPU:0 of host-w-1". Where a name is cut, it is before that. */
const END_LEAST = 6, END_USUAL = 12, END_MOST = 16;
const nameEnds = texts => {
	const names = texts.map(text => Array.from(text));
	const alike = (a, b) => { let i = 0; while (i < a.length && a[i] === b[i]) i++; return i; };
	return names.map((name, n) => {
		const same = Math.max(0, ...names.slice(0, 200).map((other, o) => o === n ? 0 : alike(name, other))), differs = name.length - same + 2, end = differs > END_MOST ? END_USUAL : Math.max(END_LEAST, differs);
		return name.slice(0, -end).join("").length;
	});
};

/* On a phone so many characters of a name are seen: where names begin alike, what others have as well gives way, "TPU:0…w-3". */
const PHONE_CHARACTERS = 10, SHORT_WORD = 3, WORDS = /\d{5,}(?=\d{4}(?!\d))|[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;
const isWord = part => /[\p{L}\p{N}]/u.test(part);
const seenOf = ({ parts, kept }) => parts.map((part, i) => kept[i] ? part : i === 0 || kept[i - 1] ? "…" : "").join("");
/* Of the parts of a name those are kept that differ, with a short word before them, and the first where there is room for it. */
const keepParts = (name, differs) => {
	const { parts } = name, kept = name.kept = parts.map((part, i) => differs[i] || Boolean(differs[i + 2]) && isWord(part) && part.length <= SHORT_WORD && !parts[i + 1].includes(" "));
	const join = () => parts.forEach((part, i) => { if (!isWord(part)) kept[i] = differs[i] || Boolean(kept[i - 1] && kept[i + 1]); });
	join();
	if (!kept[0] && seenOf(name).length + parts[0].length <= PHONE_CHARACTERS) kept[0] = true;
	join();
};
const phoneNames = texts => {
	const all = texts.map(text => { const parts = text.match(WORDS) || [""]; return { text, parts, kept: parts.map(() => true) }; }), glance = name => seenOf(name).slice(0, PHONE_CHARACTERS);
	const classes = (names, keyOf) => {
		const by = new Map();
		for (const name of names) {
			const key = keyOf(name);
			if (by.has(key)) by.get(key).push(name);
			else by.set(key, [name]);
		}
		return [...by.values()];
	};
	const several = names => names.some(({ text }) => text !== names[0].text);
	/* Names with as many parts. */
	const tellApart = names => {
		const differs = names[0].parts.map((part, i) => names.some(name => name.parts[i] !== part));
		for (const name of names) if (name.text.length > PHONE_CHARACTERS) keepParts(name, differs);
		for (const some of classes(names, glance)) if (some.length < names.length && several(some)) tellApart(some);
	};
	const alike = () => classes(all, glance).filter(several), first = new Set(alike().flat());
	for (const names of classes(all, name => name.parts.length)) if (several(names) && names.some(name => first.has(name))) tellApart(names);
	/* Names with more parts and with fewer. */
	for (const names of alike()) {
		let common = 0;
		while (names.every(({ parts }) => common < parts.length && parts[common] === names[0].parts[common])) common++;
		for (const name of names) if (name.text.length > PHONE_CHARACTERS) keepParts(name, name.parts.map((part, i) => i >= common));
	}
	for (const names of classes(all, seenOf).filter(several)) for (const name of names) name.kept = name.parts.map(() => true);
	return all;
};

/* A name in pieces: before and behind where it is cut, and in them what a phone leaves out. */
const namePieces = texts => {
	const ends = nameEnds(texts), names = phoneNames(texts);
	return texts.map((text, n) => {
		const halves = [make("span", "tl-cut"), make("span", "tl-end")], { parts, kept } = names[n];
		let at = 0;
		parts.forEach((part, i) => {
			const split = Math.min(part.length, Math.max(0, ends[n] - at));
			[part.slice(0, split), part.slice(split)].forEach((piece, half) => {
				if (!piece) return;
				const goesOn = i > 0 && !kept[i - 1] || half && split > 0;
				halves[half].append(kept[i] ? piece : make("span", goesOn ? "tl-alike" : "tl-alike tl-first", piece));
			});
			at += part.length;
		});
		return halves;
	});
};

/* The names of the rows, beside the drawing: groups and tracks with many lanes are buttons. */
const rowNames = (box, rows, groups, changed) => {
	const ofGroups = namePieces(groups.map(group => plainText(group.name))), ofTracks = new Map();
	const piecesOf = row => {
		if (row.group !== undefined) return ofGroups[row.group];
		if (row.fold !== undefined) return [row.name];
		if (!ofTracks.has(row.track.group)) {
			const tracks = rows.tracks().filter(({ group }) => group === row.track.group), pieces = namePieces(tracks.map(({ name }) => plainText(name)));
			ofTracks.set(row.track.group, new Map(tracks.map((track, i) => [track, pieces[i]])));
		}
		return ofTracks.get(row.track.group).get(row.track);
	};
	const toggle = (row, element, isOpen) => {
		const button = make("button", "tl-row");
		button.append(...piecesOf(row));
		button.type = "button";
		button.setAttribute("aria-expanded", isOpen);
		button.addEventListener("click", () => {
			if (row.fold !== undefined) rows.folded = new Set([...rows.folded].filter(track => track.group !== row.fold));
			else if (row.group !== undefined) rows.open[row.group] = !rows.open[row.group];
			else if (!rows.all.delete(row.track.id)) rows.all.add(row.track.id);
			rows.lay();
			changed();
			const group = row.group ?? row.fold, again = box.children[rows.list.findIndex(r => group !== undefined ? r.group === group : r.track === row.track)];
			if (again) again.querySelector("button").focus();
		});
		element.append(button);
	};
	const still = row => {
		const name = make("span", "tl-row", row.track ? "" : plainText(row.name));
		if (row.track) name.append(...piecesOf(row));
		return name;
	};
	return () => box.replaceChildren(...rows.list.map(row => {
		const element = make("div", row.group !== undefined ? `tl-name tl-group${row.note ? " tl-counter" : ""}` : row.counter ? "tl-name tl-counter" : "tl-name");
		element.style.height = row.height + "px";
		element.title = row.counter ? `${row.name}: ${row.counter.how}` : row.name + (row.words || "");
		if (row.group !== undefined) toggle(row, element, rows.open[row.group]);
		else if (row.fold !== undefined) toggle(row, element, false);
		else if (row.track && row.track.lanes > closedLanesOf(row.track)) toggle(row, element, rows.all.has(row.track.id));
		else element.append(still(row));
		if (row.note) element.append(make("small", undefined, plainText(row.note)));
		return element;
	}));
};
