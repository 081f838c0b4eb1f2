/* Arrows of the timeline, from what causes something to what it causes: of the selected event, and all in sight while they are few. */

const MOST_ARROWS = 200;
/* What is said at an event of those that lead to it, and of those that it leads to. */
const FLOW_WORDS = {
	launch: ["Launched by", "Launches"], backward: ["Backward of", "Its backward"], "handed on": ["Received from", "Passed on to"],
	asynchronous: ["Started by", "Ended by"], send: ["Sent by", "Received by"], infeed: ["Fed by", "Feeds"],
};

const timelineFlows = (tl, list) => {
	const { view, rows, store, look } = tl, flows = { all: list.map(spec => ({ spec, kind: spec.kind, got: null })), shown: false, missing: list.reduce((sum, { all, count }) => sum + all - count, 0), count: list.reduce((sum, { count }) => sum + count, 0) };
	let loading = null, known = null;

	/* All are read at once, when they are first wanted. */
	flows.load = () => loading || (loading = Promise.all(flows.all.map(async flow => {
		try {
			flow.got = decodeFlow(flow.spec, await inflated(flow.spec.data));
		} catch {
			flow.got = null;
			store.failed++;
		}
	})).then(() => view.draw()));
	const key = (track, lane, start) => `${track} ${lane} ${start}`;
	const index = () => {
		known = new Map();
		const add = (text, entry) => known.get(text) ? known.get(text).push(entry) : known.set(text, [entry]);
		for (const { kind, got } of flows.all) for (let i = 0; got && i < got.count; i++) {
			add(key(got.fromTrack[i], got.fromLane[i], got.fromStart[i]), { kind, got, i, leads: true });
			add(key(got.toTrack[i], got.toLane[i], got.toStart[i]), { kind, got, i, leads: false });
		}
	};
	/* The other ends of an event's arrows. */
	flows.of = async event => {
		await flows.load();
		if (!known) index();
		return (known.get(key(store.tracks.indexOf(event.track), event.lane, event.start)) || []).map(({ kind, got, i, leads }) => ({
			kind, leads, got, i, track: store.tracks[leads ? got.toTrack[i] : got.fromTrack[i]], lane: leads ? got.toLane[i] : got.fromLane[i], start: leads ? got.toStart[i] : got.fromStart[i],
		})).filter(({ track }) => track);
	};
	/* The middle of a lane, or of the group that it is in where that is closed. */
	const heightOf = (number, lane) => {
		const track = store.tracks[number], row = track && (rows.rowOf(track) || rows.list.find(one => one.group === track.group));
		if (!row) return null;
		const { y, height } = view.laneBox(row, row.track ? Math.min(lane, row.lanes - 1) : Math.max(0, row.parts.findIndex(parts => parts.some(part => part.track === track))));
		return y + height / 2;
	};
	/* What waits for something goes on until it comes: there the arrow ends. Where that event is not read yet, at its start. */
	const endOf = (kind, got, i) => {
		if (kind !== "infeed" && kind !== "send") return got.toStart[i];
		if (!got.toEnd) got.toEnd = new Float64Array(got.count);
		if (!got.toEnd[i]) {
			const track = store.tracks[got.toTrack[i]], { event, missing } = track ? tl.pick.starting(track, got.toLane[i], got.toStart[i]) : { event: null, missing: false };
			if (missing) return got.toStart[i];
			got.toEnd[i] = event ? event.end : got.toStart[i];
		}
		return got.toEnd[i];
	};
	const arrow = (pen, top, kind, got, i, strong) => {
		const a = heightOf(got.fromTrack[i], got.fromLane[i]), b = heightOf(got.toTrack[i], got.toLane[i]);
		if (a === null || b === null) return;
		const x1 = view.xOf(got.fromStart[i]), x2 = view.xOf(endOf(kind, got, i)), y1 = a - top, y2 = b - top, bend = Math.max(12 * view.dpr, Math.min(60 * view.dpr, Math.abs(x2 - x1) / 2)), size = 3 * view.dpr;
		pen.lineWidth = (strong ? 1.5 : 0.75) * view.dpr;
		pen.globalAlpha = strong ? 1 : 0.55;
		pen.beginPath();
		pen.moveTo(x1, y1);
		pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
		pen.stroke();
		pen.beginPath();
		pen.arc(x1, y1, size / 1.5, 0, 7);
		pen.moveTo(x2 + size, y2);
		pen.lineTo(x2 - size, y2 - size);
		pen.lineTo(x2 - size, y2 + size);
		pen.fill();
		pen.globalAlpha = 1;
	};
	/* Arrows begin in order of time; how far they lead is known only when all are looked at. */
	const inSight = () => {
		const found = [], from = view.from, to = view.to();
		for (const { kind, got } of flows.all) for (let i = 0; got && i < got.count && found.length <= MOST_ARROWS; i++) {
			const a = got.fromStart[i], b = got.toStart[i];
			if (Math.max(a, b) >= from && Math.min(a, b) <= to) found.push([kind, got, i]);
		}
		return found;
	};
	tl.overlays.push((pen, top) => {
		pen.strokeStyle = pen.fillStyle = look.ink;
		const own = tl.arrows || [];
		flows.many = false;
		if (flows.shown) {
			const found = inSight();
			flows.many = found.length > MOST_ARROWS;
			if (!flows.many) for (const [kind, got, i] of found) arrow(pen, top, kind, got, i, false);
		}
		for (const { kind, got, i } of own) arrow(pen, top, kind, got, i, true);
	});
	return flows;
};
