/* Sums over events of the timeline: how long each name takes in a range, with what is nested in it and without. */

const SLICE_MS = 8;

/* The events of a track in [from, to), by lane. What is not kept in full counts by its cells. */
const eventsByLane = (store, track, from, to) => {
	const pieces = piecesOf(store, track, from, to, 0), lanes = [];
	for (let lane = 0; lane < track.lanes; lane++) {
		const own = { start: [], end: [], name: [], merged: [], share: [], at: 0 };
		eachIn(pieces, lane, from, to, (got, i, start, end) => {
			if (!(end > from || start >= from)) return;
			own.start.push(start);
			own.end.push(end);
			own.name.push(got.name[i]);
			own.merged.push(got.merged ? got.merged[i] : -1);
			own.share.push(got.merged ? got.share[i] : 1);
		});
		lanes.push(own);
	}
	return { lanes, missing: pieces.missing || store.waiting > 0, about: !pieces.whole };
};

/* Of each name: events, their time within the range, and that less what is nested in them: events of other lanes that begin and end within,
   each in the innermost around it. Events come by start, of the same start the longer first; what is nested counts once where it overlaps. */
const sumsOf = async (store, tracks, from, to) => {
	const by = new Map(), found = { by, missing: false, about: false };
	let until = performance.now() + SLICE_MS;
	const of = name => by.get(name) || by.set(name, { name, count: 0, total: 0, self: 0 }).get(name);
	for (const track of tracks) {
		const { lanes, missing, about } = eventsByLane(store, track, from, to), open = lanes.map(() => null);
		found.missing = found.missing || missing;
		found.about = found.about || about;
		const close = one => { if (one) of(one.name).self += one.self; };
		for (;;) {
			let lane = -1, start = Infinity, end = -Infinity;
			for (let l = 0; l < lanes.length; l++) {
				const { at, start: starts, end: ends } = lanes[l];
				if (at < starts.length && (starts[at] < start || starts[at] === start && ends[at] > end)) { lane = l; start = starts[at]; end = ends[at]; }
			}
			if (lane < 0) break;
			const own = lanes[lane], i = own.at++, low = Math.max(start, from), high = Math.min(end, to), time = (high - low) * own.share[i], sum = of(own.name[i]);
			sum.count += own.merged[i] < 0 ? 1 : own.merged[i];
			sum.total += time;
			let inmost = null;
			for (let l = 0; l < lanes.length; l++) {
				const outer = l === lane ? null : open[l];
				if (outer && end <= outer.end && (!inmost || outer.start > inmost.start || outer.start === inmost.start && outer.end <= inmost.end)) inmost = outer;
			}
			if (inmost) {
				inmost.self -= Math.max(0, high - Math.max(low, inmost.taken)) * own.share[i];
				inmost.taken = Math.max(inmost.taken, high);
			}
			close(open[lane]);
			open[lane] = { name: own.name[i], start, end, self: time, taken: low };
			if (performance.now() > until) {
				await new Promise(done => setTimeout(done));
				until = performance.now() + SLICE_MS;
			}
		}
		open.forEach(close);
	}
	return found;
};

/* The same for one event: its time less what is nested in it. */
const selfOf = (store, { track, lane, start, end }) => {
	const { lanes, missing, about } = eventsByLane(store, track, start, end), inner = [];
	lanes.forEach((own, l) => own.start.forEach((from, i) => { if (l !== lane && from >= start && own.end[i] <= end && (l > lane || from > start || own.end[i] < end)) inner.push([from, own.end[i], own.share[i]]); }));
	inner.sort((a, b) => a[0] - b[0]);
	let self = end - start, taken = start;
	for (const [from, to, share] of inner) {
		self -= Math.max(0, to - Math.max(from, taken)) * share;
		taken = Math.max(taken, to);
	}
	return { self, nested: inner.length, missing, about };
};
