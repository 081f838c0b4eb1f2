/* The tiles of the timeline's tracks: each is inflated when it comes in sight. */

/* The first place from `low` on whose value is at least so much. */
const firstFrom = (values, least, low = 0, high = values.length) => {
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (values[middle] < least) low = middle + 1;
		else high = middle;
	}
	return low;
};

const NOTHING = { at: new Uint32Array(1), start: new Float64Array(0), end: new Float64Array(0), till: new Float64Array(0), name: new Uint32Array(0), merged: null, reach: -Infinity };
const AT_ONCE = 8; /* tiles that are inflated side by side */

/* The tracks with their tiles, which are inflated on demand; `arrived` is told of each. */
const tileStore = (groups, arrived) => {
	const store = { failed: 0, tracks: [], waiting: 0 }, urgent = [], later = [];
	let running = 0;
	const run = async tile => {
		running++;
		try {
			tile.got = decodeTile(tile.spec, tile.tick, await inflated(tile.spec.data), tile.arguments);
		} catch {
			tile.got = NOTHING;
			store.failed++;
		}
		running--;
		store.waiting--;
		arrived(tile);
		start();
	};
	let idle = 0;
	const begin = tile => {
		if (tile.running) return;
		tile.running = true;
		run(tile);
	};
	/* What is not in sight itself waits until the page has nothing else to do. */
	const start = () => {
		while (running < AT_ONCE && urgent.length) begin(urgent.pop());
		if (running || !later.length || idle) return;
		idle = whenIdle(() => {
			idle = 0;
			begin(later.shift());
			start();
		}, { timeout: IDLE_MS });
	};
	/* What a tile holds, or nothing yet. */
	store.want = (tile, soon = true) => {
		if (tile.got || tile.running) return tile.got;
		if (!tile.asked) store.waiting++;
		if (!tile.asked || soon && !tile.soon) {
			(soon ? urgent : later).push(tile);
			tile.asked = true;
			tile.soon = soon;
			queueMicrotask(start);
		}
		return tile.got;
	};
	groups.forEach((group, g) => group.tracks.forEach((track, t) => {
		const tiles = track.tiles.map(spec => ({ spec, from: spec.from_ps, to: spec.to_ps, cell: spec.cell_ps || 0, tick: track.tick_ps, arguments: !!track.arguments, got: undefined, before: null, after: null })).sort((a, b) => a.from - b.from);
		const cells = [...new Set(tiles.map(tile => tile.cell))].filter(cell => cell > 0).sort((a, b) => a - b);
		const levels = cells.map(cell => ({ cell, tiles: tiles.filter(tile => tile.cell === cell) })), full = tiles.filter(tile => !tile.cell);
		for (const { tiles: own } of levels) own.forEach((tile, i) => {
			const last = own[i - 1];
			if (last && last.to === tile.from) [tile.before, last.after] = [last, tile];
		});
		/* Stretches that are kept in full, between others that are cells alone. */
		const stretches = [], whole = full.reduce((sum, tile) => sum + tile.spec.count, 0) >= track.events;
		for (const tile of full) {
			const last = stretches.at(-1);
			if (last && last.to >= tile.from) last.to = Math.max(last.to, tile.to);
			else stretches.push({ from: tile.from, to: tile.to, through: levels.length && !whole ? null : NOTHING });
		}
		const all = whole ? full : tiles; /* cells begin with the capture */
		store.tracks.push({ whole, stretches, id: `${g}.${t}`, group: g, name: track.name, kind: track.kind, lanes: Math.max(1, track.lanes), upper: track.upper_lanes || Math.max(1, track.lanes), events: track.events, levels, full, start: Math.min(...all.map(tile => tile.from)), end: Math.max(...all.map(tile => tile.to)) });
	}));
	/* Counters are few and small. What a counter holds, or nothing yet. */
	store.counter = counter => {
		if (counter.got || counter.running) return counter.got;
		counter.running = true;
		store.waiting++;
		inflated(counter.data).then(bytes => decodeCounter(counter, bytes)).catch(() => {
			store.failed++;
			return { start: new Float64Array(0), value: new Float64Array(0) };
		}).then(got => {
			counter.got = got;
			store.waiting--;
			arrived(null);
		});
		return undefined;
	};
	return store;
};

/* Tiles of a list, which is in order, that lie in [from, to). */
const tilesIn = (tiles, from, to) => {
	let low = 0, high = tiles.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (tiles[middle].to <= from) low = middle + 1;
		else high = middle;
	}
	let last = low;
	while (last < tiles.length && tiles[last].from < to) last++;
	return tiles.slice(low, last);
};
