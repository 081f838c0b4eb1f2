/* What a window shows of a track: which tiles, and which things in them. */

const SPARSE = 2; /* events a pixel, up to which each is drawn by itself */

/* What goes on from the tile before began there; what goes on in the next ends there. Both as far as tiles are read. */
const beginIn = (tile, lane, i) => {
	const { got, before } = tile, start = got.start[i];
	if (got.merged[i] !== 0 || i !== got.at[lane] || start !== tile.from || !before || !before.got || lane + 1 >= before.got.at.length) return start;
	const last = before.got.at[lane + 1] - 1;
	return last >= before.got.at[lane] && before.got.end[last] === start && before.got.name[last] === got.name[i] ? beginIn(before, lane, last) : start;
};
const endIn = (tile, lane, i) => {
	const { got, after } = tile, end = got.end[i];
	if (i !== got.at[lane + 1] - 1 || end !== tile.to || !after || !after.got || lane + 1 >= after.got.at.length) return end;
	const first = after.got.at[lane];
	return first < after.got.at[lane + 1] && after.got.merged[first] === 0 && after.got.start[first] === end && after.got.name[first] === got.name[i] ? endIn(after, lane, first) : end;
};

/* A cell says to 1/255 where an event in it begins. */
const blurOf = tile => tile.cell / 64;
/* Whether a thing of cells is one event that goes on past a time. */
const goesPast = (tile, lane, i, time) => tile.got.share[i] === 1 && beginIn(tile, lane, i) < time - blurOf(tile) && endIn(tile, lane, i) > time + blurOf(tile);

/* The events that last when a stretch begins that is kept in full: its tiles hold only those that begin in it, so they are read from the cells
   before it and in it. */
const throughOf = (store, track, stretch) => {
	if (stretch.through) return stretch.through;
	const { tiles } = track.levels[0], at = tiles.findIndex(tile => tile.from < stretch.from && tile.to >= stretch.from), found = [];
	if (at < 0) return stretch.through = NOTHING;
	let next = at;
	while (next + 1 < tiles.length && tiles[next].to <= stretch.to) next++;
	let missing = false;
	for (const tile of tiles.slice(Math.max(0, at - 1), next + 1)) if (!store.want(tile)) missing = true;
	if (missing) return null;
	const tile = tiles[at], { got } = tile;
	for (let lane = 0; lane + 1 < got.at.length; lane++) {
		const i = firstFrom(got.till, stretch.from, got.at[lane], got.at[lane + 1]);
		if (i < got.at[lane + 1] && goesPast(tile, lane, i, stretch.from)) found.push({ lane, start: beginIn(tile, lane, i), end: endIn(tile, lane, i), name: got.name[i] });
	}
	const column = key => Float64Array.from(found, one => one[key]), lanes = laneStarts(found.map(one => one.lane)), end = column("end");
	return stretch.through = { at: lanes, start: column("start"), end, till: end, name: Uint32Array.from(found, one => one.name), merged: null, reach: Math.max(-Infinity, ...end) };
};

/* Whether a window is kept in full, and has few enough events to draw each. */
const isSparse = (track, from, to, px) => {
	const low = Math.max(from, track.start), high = Math.min(to, track.end);
	if (low < high && !track.whole && !track.stretches.some(stretch => stretch.from <= low && stretch.to >= high)) return false;
	let events = 0;
	for (const { from: start, to: end, spec } of tilesIn(track.full, from, to)) events += spec.count * Math.min(1, (Math.min(to, end) - Math.max(from, start)) / (end - start));
	return events * px <= SPARSE * (to - from);
};

/* What a track shows in [from, to) where a pixel is so long: decoded tiles, each with the part that it is for, in the order in which they are
   drawn. `missing`: some are on their way. `coarse`: cells longer than a pixel, for there is nothing finer. `whole`: no cells. */
const piecesOf = (store, track, from, to, px) => {
	const list = [], found = { list, missing: false, coarse: false, whole: true };
	const finest = track.levels[0], level = isSparse(track, from, to, px) ? undefined : track.levels.findLast(({ cell }) => cell <= px);
	const take = (tile, low, high, gap) => {
		const got = store.want(tile);
		if (got) list.push({ got, from: Math.max(from, low), to: Math.min(to, high), tile, gap });
		else found.missing = true;
		if (tile.cell) found.whole = false;
	};
	if (level) {
		for (const tile of tilesIn(level.tiles, from, to)) take(tile, -Infinity, Infinity, null);
		return found;
	}
	/* An event may begin far before and last until now. */
	for (const stretch of track.stretches) {
		if (stretch.from >= to) break;
		const got = throughOf(store, track, stretch);
		if (!got) found.missing = true;
		else if (got.reach >= from) list.push({ got, from, to });
	}
	for (const tile of track.full) {
		if (tile.to > from) break;
		const got = store.want(tile, false);
		if (got && got.reach >= from) list.push({ got, from, to });
	}
	/* Between stretches that are kept in full, cells; what they share with those is there in full. */
	const fill = (low, high) => {
		const a = Math.max(from, low), b = Math.min(to, high);
		if (!(b > a) || !finest || track.whole) return;
		found.coarse = found.coarse || px < finest.cell;
		for (const tile of tilesIn(finest.tiles, a, b)) take(tile, low, high, { from: low, to: high });
	};
	let done = -Infinity;
	for (const stretch of track.stretches) {
		fill(done, stretch.from);
		for (const tile of tilesIn(track.full, Math.max(from, stretch.from), Math.min(to, stretch.to))) take(tile, -Infinity, Infinity, null);
		done = stretch.to;
	}
	fill(done, Infinity);
	return found;
};

/* Calls with each thing of a lane in [from, to): the decoded tile, the place in it, and its begin and end. What goes on through several tiles
   of cells is one thing. */
const eachIn = ({ list }, lane, from, to, call) => {
	let got = null, at = 0, start = 0, end = -Infinity, known = false;
	const tell = () => {
		if (got && !known) call(got, at, start, end);
		got = null;
	};
	for (const { got: next, from: low, to: high, tile, gap } of list) {
		if (lane + 1 >= next.at.length) continue;
		const last = next.at[lane + 1], cells = next.merged !== null;
		for (let i = firstFrom(next.till, Math.max(from, low), next.at[lane], last); i < last && next.start[i] < Math.min(to, high); i++) {
			if (next.end[i] < from || next.end[i] === from && next.start[i] < from) continue;
			if (!cells) {
				tell();
				call(next, i, next.start[i], next.end[i]);
				continue;
			}
			const edge = gap ? Math.min(next.end[i], gap.to) : next.end[i], past = gap && gap.to < Infinity && goesPast(tile, lane, i, gap.to);
			if (got && got.merged && next.merged[i] === 0 && next.start[i] === end && next.name[i] === got.name[at]) {
				end = edge;
				known = known || past;
				continue;
			}
			tell();
			[got, at, end] = [next, i, edge];
			start = beginIn(tile, lane, i);
			known = past || gap && start < gap.from - blurOf(tile);
			if (gap) start = Math.max(start, gap.from);
		}
	}
	tell();
};
