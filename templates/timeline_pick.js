/* Which event lies where, what lies beside it, and edges that a ruler snaps to. */

const NEAR_PX = 4, SNAP_PX = 8;

const timelinePick = tl => {
	const { view, rows, store, marks } = tl, pick = {};
	const eventOf = (track, lane, got, i, start, end) => ({
		track, lane, start, end, name: got.name[i], merged: got.merged ? got.merged[i] : null, share: got.merged ? got.share[i] : 1, argument: got.argument ? got.argument[i] : 0,
	});
	const among = (track, lane, from, to, call) => {
		const pieces = piecesOf(store, track, from, to, view.scale);
		eachIn(pieces, lane, from, to, (got, i, start, end) => call(eventOf(track, lane, got, i, start, end)));
		return pieces;
	};
	const drawnIn = (row, lane, from, to, call) => { for (const part of row.parts[lane]) among(part.track, part.lane, from, to, call); };
	/* The event at a place of the drawing: the one under it, or the nearest within some pixels. */
	pick.at = (x, y) => {
		const place = rows.laneAt(y / view.dpr);
		if (!place) return null;
		const time = view.timeAt(x), near = NEAR_PX * view.dpr * view.scale;
		let best = null, least = Infinity;
		drawnIn(place.row, place.lane, time - near, time + near, event => {
			const away = Math.max(event.start - time, time - event.end, 0);
			if (away < least || away === least && best && event.end - event.start < best.end - best.start) { best = event; least = away; }
		});
		return best;
	};
	/* The event of a lane that starts then; nothing where it is not kept in full, or (missing) not read yet. */
	pick.starting = (track, lane, start) => {
		const pieces = piecesOf(store, track, start, start + 1, 0);
		let event = null;
		eachIn(pieces, lane, start - 1, start + 1, (got, i) => { if (!event && !got.merged && Math.abs(got.start[i] - start) < 1) event = eventOf(track, lane, got, i, got.start[i], got.end[i]); });
		return { event, missing: !event && (pieces.missing || store.waiting > 0) };
	};
	/* The counter at a height, and its value then. */
	pick.counter = (x, y) => {
		const row = rows.at(y / view.dpr);
		return row && row.counter ? { ...row.counter, value: counterAt(row.counter, view.timeAt(x)) } : null;
	};
	pick.same = (a, b) => a && b && a.track === b.track && a.lane === b.lane && a.start === b.start && a.end === b.end && a.name === b.name;
	/* The next event of a lane, or the one before. */
	pick.beside = (event, way) => {
		const reach = view.span() * 4;
		let found = null;
		if (way > 0) among(event.track, event.lane, event.end, event.end + reach, e => { if (!found && !pick.same(e, event) && (e.start > event.start || e.start === event.start && e.end > event.end)) found = e; });
		else among(event.track, event.lane, event.start - reach, event.start, e => { if (!pick.same(e, event) && e.start <= event.start) found = e; });
		return found;
	};
	/* The event in the lane above or below that lies nearest to the middle of this one. */
	pick.across = (event, way) => {
		const lanes = rows.list.filter(row => row.track).flatMap(row => Array.from({ length: row.lanes }, (_, lane) => ({ row, lane })));
		const at = lanes.findIndex(({ row, lane }) => row.track === event.track && lane === event.lane), low = Math.max(event.start, view.from), high = Math.min(event.end, view.to()), middle = (low + high) / 2;
		for (let next = at + way; at >= 0 && next >= 0 && next < lanes.length; next += way) {
			let best = null, least = Infinity;
			among(lanes[next].row.track, lanes[next].lane, view.from, view.to(), e => {
				const away = Math.max(e.start - middle, middle - e.end, 0);
				if (away < least) { best = e; least = away; }
			});
			if (best) return best;
		}
		return null;
	};
	/* All events in sight, longest first; merged ones are none. */
	pick.longest = most => {
		const found = [];
		for (const row of rows.list) if (row.track) for (let lane = 0; lane < row.lanes; lane++) {
			among(row.track, lane, view.from, view.to(), e => {
				if (e.merged > 1) return;
				const length = e.end - e.start;
				if (found.length === most && length <= found[most - 1].end - found[most - 1].start) return;
				const at = found.findIndex(other => other.end - other.start < length);
				found.splice(at < 0 ? found.length : at, 0, e);
				if (found.length > most) found.pop();
			});
		}
		return found;
	};
	pick.first = () => {
		for (const row of rows.list) if (row.track) {
			let first = null;
			among(row.track, 0, view.from, view.to(), e => { if (!first && (e.start >= view.from || e.end > view.from)) first = e; });
			if (first) return first;
		}
		return null;
	};
	/* The nearest edge of an event of the row, or of a step; or the time itself. */
	pick.snap = (x, y) => {
		const time = view.timeAt(x), near = SNAP_PX * view.dpr * view.scale, place = rows.laneAt(y / view.dpr);
		let best = time, least = near, what = "";
		const edge = (at, words) => { if (Math.abs(at - time) < least) { least = Math.abs(at - time); best = at; what = words; } };
		if (place) for (let lane = 0; lane < place.row.lanes; lane++) drawnIn(place.row, lane, time - near, time + near, e => {
			if (e.merged > 1) return;
			edge(e.start, tl.texts.of(e.name));
			edge(e.end, tl.texts.of(e.name));
		});
		for (const mark of marksIn(marks, time - near, time + near)) { edge(mark.from_ps, "step " + mark.label); edge(mark.to_ps, "step " + mark.label); }
		return { time: best, what };
	};
	return pick;
};
