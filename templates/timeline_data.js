/* A tile of the timeline, as the page holds it packed, as columns of events or of what cells stand for. */

const inflated = async text => new Uint8Array(await new Response(new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());

const MOST_LANES = 4096, COLUMNS = 4, MOST_NUMBER = 2 ** 64;

/* Unsigned LEB128. Numbers pass 2^32, where shifts end. */
const varints = bytes => {
	let at = 0;
	return () => {
		let byte = bytes[at++], value = byte & 127;
		for (let scale = 128; byte > 127; scale *= 128) {
			byte = bytes[at++];
			value += (byte & 127) * scale;
		}
		if (at > bytes.length || !(value < MOST_NUMBER)) throw new RangeError("the tile ends within a number, or holds one that is none");
		return value;
	};
};


/* Where each lane begins among things that are sorted by lane; the last: where all end. */
const laneStarts = lanes => {
	let most = 0;
	for (const lane of lanes) most = Math.max(most, lane);
	if (most >= MOST_LANES) throw new RangeError("the tile has too many lanes");
	const at = new Uint32Array(lanes.length ? most + 2 : 1);
	for (const lane of lanes) at[lane + 1]++;
	for (let lane = 1; lane < at.length; lane++) at[lane] += at[lane - 1];
	return at;
};

/* Of each thing the latest end of those before it in its lane and its own: in order, also where events overlap. */
const latestEnds = ({ at, start, end }) => {
	const till = new Float64Array(end);
	for (let lane = 0; lane + 1 < at.length; lane++)
		for (let i = at[lane] + 1; i < at[lane + 1]; i++) till[i] = Math.max(till[i], till[i - 1]);
	return till;
};

/* Events by lane, then start. */
const fromEvents = (from, tick, count, column, hasArguments) => {
	const steps = column(Float64Array), lengths = column(Float64Array), names = column(Uint32Array), lanes = column(Uint32Array), called = hasArguments ? column(Uint32Array) : null;
	const at = laneStarts(lanes), place = at.slice(), start = new Float64Array(count), end = new Float64Array(count), name = new Uint32Array(count), argument = called && new Uint32Array(count);
	let ticks = 0;
	for (let i = 0; i < count; i++) {
		const to = place[lanes[i]]++;
		ticks += steps[i];
		start[to] = from + ticks * tick;
		end[to] = start[to] + lengths[i] * tick;
		name[to] = names[i];
		if (called) argument[to] = called[i];
	}
	return { at, start, end, name, argument, merged: null };
};

/* Cells by lane, then time. Those that one event goes on through are one thing again, so that it has its edges and its name. `merged` says how
   many events a thing stands for, `share` how much of it they cover. */
const fromCells = (from, cell, count, column) => {
	const laneSteps = column(Uint32Array), steps = column(Float64Array), covers = column(Uint8Array), names = column(Uint32Array), counts = column(Float64Array);
	const lanes = new Uint32Array(count), start = new Float64Array(count), end = new Float64Array(count), name = new Uint32Array(count), merged = new Float64Array(count), share = new Float32Array(count);
	let used = -1, lane = 0, index = 0, before = -1;
	for (let i = 0; i < count; i++) {
		lane += laneSteps[i];
		index = laneSteps[i] || i === 0 ? steps[i] : index + steps[i];
		const left = from + index * cell, covered = covers[i] / 255, goesOn = counts[i] === 0 && steps[i] === 1 && !laneSteps[i] && i > 0 && name[used] === names[i] && before > 0;
		if (goesOn) {
			if (end[used] === left && merged[used] === 1 && share[used] < 1) start[used] = left - share[used] * cell;
			share[used] = 1;
			end[used] = left + covered * cell;
		} else {
			used++;
			lanes[used] = lane;
			start[used] = left;
			end[used] = left + cell;
			name[used] = names[i];
			merged[used] = counts[i];
			share[used] = covered;
			if (counts[i] === 0) { end[used] = left + covered * cell; share[used] = 1; }
		}
		before = covered;
	}
	const size = used + 1;
	return { at: laneStarts(lanes.subarray(0, size)), start: start.slice(0, size), end: end.slice(0, size), name: name.slice(0, size), merged: merged.slice(0, size), share: share.slice(0, size) };
};

/* Columns of so many numbers, one after the other. */
const columnsOf = (bytes, count, columns) => {
	if (!(count >= 0 && count * columns <= bytes.length)) throw new RangeError("the tile is shorter than it says");
	const next = varints(bytes);
	return kind => {
		const values = new kind(count);
		for (let i = 0; i < count; i++) values[i] = next();
		return values;
	};
};

/* Arrows: places of tracks and lanes, and starts of both ends, by the first. */
const decodeFlow = ({ count, tick_ps: tick }, bytes) => {
	const column = columnsOf(bytes, count, 6), fromTrack = column(Uint32Array), fromLane = column(Uint32Array), steps = column(Float64Array), toTrack = column(Uint32Array), toLane = column(Uint32Array), apart = column(Float64Array);
	const fromStart = new Float64Array(count), toStart = new Float64Array(count);
	let ticks = 0;
	for (let i = 0; i < count; i++) {
		ticks += steps[i];
		fromStart[i] = ticks * tick;
		toStart[i] = (ticks + (apart[i] % 2 ? -(apart[i] + 1) / 2 : apart[i] / 2)) * tick;
	}
	return { count, fromTrack, fromLane, fromStart, toTrack, toLane, toStart };
};

/* A figure over time: when it changes, and to what. */
const decodeCounter = ({ count, cell_ps: cell, scale }, bytes) => {
	const column = columnsOf(bytes, count, 2), steps = column(Float64Array), value = column(Float64Array).map(number => number * scale), start = new Float64Array(count);
	let at = 0;
	for (let i = 0; i < count; i++) start[i] = (at += steps[i]) * cell;
	return { start, value };
};

const decodeTile = ({ from_ps: from, cell_ps: cell, count }, tick, bytes, hasArguments = false) => {
	const column = columnsOf(bytes, count, COLUMNS);
	const things = cell ? fromCells(from, cell, count, column) : fromEvents(from, tick, count, column, hasArguments);
	things.till = latestEnds(things);
	things.reach = things.till.reduce((most, to) => Math.max(most, to), -Infinity);
	return things;
};
