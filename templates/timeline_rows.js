/* The rows of the timeline: groups that open and close, their tracks, and of each track its lanes. */

const ROW = { counter: 32, group: 20, lane: 18, thin: 13, gap: 1, above: 2, shown: 6, openPx: 420, thinFrom: 4 };

/* Long names are hard to compare where groups are alike: one of them is open at first. */
const openAtFirst = groups => {
	const seen = new Set();
	let px = 0;
	return groups.map(group => {
		const alike = group.tracks.map(track => track.kind + track.name).join("\n");
		const open = !seen.has(alike) && px < ROW.openPx;
		seen.add(alike);
		if (open) px += (group.counters || []).length * ROW.counter;
		for (const track of group.tracks) if (open) px += Math.min(ROW.shown, track.lanes) * ROW.thin;
		return open;
	});
};

/* What stands for a closed group: of its operations, or else of what it has, the track with most events. */
const mainKind = tracks => ["ops", "stream", "thread", "modules"].find(kind => tracks.some(track => track.kind === kind));
const mainTrack = tracks => {
	const kind = mainKind(tracks);
	return tracks.filter(track => !kind || track.kind === kind).reduce((most, track) => track.events > most.events ? track : most);
};

const timelineRows = (groups, tracks) => {
	const open = openAtFirst(groups), rows = { list: [], height: 0, open, all: new Set() };
	/* y of each row, from the top. Of a track with many lanes some are shown, until it is opened. */
	rows.lay = () => {
		let y = 0;
		rows.list = [];
		const add = row => {
			rows.list.push({ y, ...row });
			y += row.height;
		};
		groups.forEach((group, g) => {
			const own = tracks.filter(track => track.group === g);
			add({ group: g, name: group.name, note: group.note || "", height: ROW.group, track: open[g] ? null : mainTrack(own), lanes: 1, pitch: ROW.group, bar: 10, top: 5 });
			for (const track of open[g] ? own : []) {
				const lanes = rows.all.has(track.id) ? track.lanes : Math.min(track.lanes, ROW.shown), pitch = lanes < ROW.thinFrom ? ROW.lane : ROW.thin;
				add({ track, name: track.name, height: lanes * pitch + 2 * ROW.above, lanes, pitch, bar: pitch - ROW.gap, top: ROW.above });
			}
			for (const counter of open[g] && group.counters || []) add({ counter, name: counter.name, note: `to ${told(counter.top, counter.unit)}`, height: ROW.counter, lanes: 0 });
		});
		rows.height = y;
	};
	rows.at = y => rows.list.find(row => y >= row.y && y < row.y + row.height);
	/* The row and lane at a height; outside of lanes the nearest. */
	rows.laneAt = y => {
		const row = rows.at(y);
		return row && row.track ? { row, lane: Math.max(0, Math.min(row.lanes - 1, Math.floor((y - row.y - row.top) / row.pitch))) } : null;
	};
	rows.rowOf = track => rows.list.find(row => row.track === track);
	/* A track is brought in sight with the lane. */
	rows.show = (track, lane) => {
		const row = rows.rowOf(track);
		if (row && row.group === undefined && lane < row.lanes) return false;
		open[track.group] = true;
		if (lane >= Math.min(track.lanes, ROW.shown)) rows.all.add(track.id);
		rows.lay();
		return true;
	};
	rows.lay();
	return rows;
};

/* How much of a group's name tells it from the others with the most alike, at its end: "w-1" of "TPU:0 of host-w-1". Where a name is cut, it is
 * before that. */
const END_LEAST = 6, END_MOST = 12;
const nameEnds = groups => {
	const names = groups.map(group => Array.from(plainText(group.name)));
	const alike = (a, b) => { let i = 0; while (i < a.length && a[i] === b[i]) i++; return i; };
	return names.map((name, g) => {
		const same = Math.max(0, ...names.slice(0, 200).map((other, o) => o === g ? 0 : alike(name, other))), end = Math.min(END_MOST, Math.max(END_LEAST, name.length - same + 2));
		return [name.slice(0, -end).join(""), name.slice(-end).join("")];
	});
};

/* The names of the rows, beside the drawing: groups and tracks with many lanes are buttons. */
const rowNames = (box, rows, groups, changed) => {
	const ends = nameEnds(groups);
	const toggle = (row, element, isOpen, text) => {
		const button = make("button", "tl-row", row.group === undefined ? text : "");
		if (row.group !== undefined) ends[row.group].forEach((part, end) => button.append(make("span", end ? "tl-end" : "tl-cut", part)));
		button.type = "button";
		button.setAttribute("aria-expanded", isOpen);
		button.addEventListener("click", () => {
			if (row.group !== undefined) rows.open[row.group] = !rows.open[row.group];
			else if (!rows.all.delete(row.track.id)) rows.all.add(row.track.id);
			rows.lay();
			changed();
			const again = box.children[rows.list.findIndex(r => row.group !== undefined ? r.group === row.group : r.track === row.track)];
			if (again) again.querySelector("button").focus();
		});
		element.append(button);
	};
	return () => box.replaceChildren(...rows.list.map(row => {
		const element = make("div", row.group !== undefined ? "tl-name tl-group" : row.counter ? "tl-name tl-counter" : "tl-name");
		element.style.height = row.height + "px";
		element.title = row.counter ? `${row.name}: ${row.counter.how}` : row.name;
		if (row.group !== undefined) toggle(row, element, rows.open[row.group], plainText(row.name));
		else if (row.track && row.track.lanes > ROW.shown) toggle(row, element, rows.all.has(row.track.id), plainText(row.name));
		else element.append(make("span", "tl-row", plainText(row.name)));
		if (row.note) element.append(make("small", undefined, plainText(row.note)));
		return element;
	}));
};
