/* The window of time that the timeline shows, and its drawing: bitmaps of the rows at the present scale, moved while the window moves. */

const TILE_PX = 256, PAINT_MS = 5, MOST_PIXELS = 24e6, LEAST_SPAN_PS = 1000, SETTLED_MS = 150;
const BAR_FONT_PX = 11, THIN_FONT_PX = 10;

const timelineView = tl => {
	const { low, high, store, rows, look, texts } = tl;
	const total = Math.max(high - low, LEAST_SPAN_PS);
	const view = { from: low, scale: total / 1000, width: 1000, height: 100, top: 0, dpr: 1, frames: 0 };
	const pen = tl.body.getContext("2d", { alpha: false });
	let bitmaps = new Map(), spare = [], snapshot = null, queued = false, settle = 0, complete = false, tellDrawn;
	view.drawn = new Promise(resolve => { tellDrawn = resolve; }); /* for the first time, whole */

	view.span = () => view.scale * view.width;
	view.to = () => view.from + view.span();
	view.xOf = time => (time - view.from) / view.scale;
	view.timeAt = x => view.from + x * view.scale;

	const forget = () => {
		for (const { canvas } of bitmaps.values()) spare.push(canvas);
		bitmaps = new Map();
	};
	/* What the rows look like is kept to be stretched until they are drawn at the new scale. */
	const keepPicture = () => {
		if (!complete) return;
		const made = snapshot || { canvas: make("canvas") }, top = topPx();
		if (made.canvas.width !== view.width || made.canvas.height !== view.height) Object.assign(made.canvas, { width: view.width, height: view.height });
		const onto = made.canvas.getContext("2d");
		onto.clearRect(0, 0, view.width, view.height);
		eachTile(view.from, (key, k, j, x, y) => { const tile = bitmaps.get(key); if (tile) onto.drawImage(tile.canvas, x, y); });
		snapshot = Object.assign(made, { from: view.from, scale: view.scale, top, rows: rows.list });
	};

	const changed = () => {
		view.draw();
		clearTimeout(settle);
		settle = setTimeout(() => tl.settled(), SETTLED_MS);
	};
	view.set = (from, to) => {
		const span = Math.min(total, Math.max(LEAST_SPAN_PS, to - from)), scale = span / view.width;
		if (Math.abs(scale - view.scale) > scale * 1e-9) {
			keepPicture();
			forget();
			view.scale = scale;
		}
		view.move((from + to - span) / 2);
	};
	view.move = from => {
		view.from = Math.max(low, Math.min(high - view.span(), from));
		changed();
	};
	view.pan = px => view.move(view.from + px * view.scale);
	view.zoom = (factor, x = view.width / 2) => {
		const at = view.timeAt(x), span = Math.min(total, Math.max(LEAST_SPAN_PS, view.span() * factor)), from = at - span * x / view.width;
		view.set(from, from + span);
	};
	view.fit = () => view.set(low, high);
	/* A stretch of time with some room at both sides. */
	view.show = (from, to, room = 0.1) => {
		const span = Math.max(to - from, LEAST_SPAN_PS);
		view.set(from - span * room, to + span * room);
	};
	/* What lies outside is brought in, at the same scale. */
	view.reveal = (from, to) => {
		if (to < view.from || from > view.to()) view.move((from + to) / 2 - view.span() / 2);
		else if (from < view.from && to < view.to()) view.move(from - view.span() * 0.1);
	};

	/* To ask for it in each frame would have the page laid out each time. */
	const topPx = () => Math.round(view.top * view.dpr);
	const tellMore = () => tl.scroll.classList.toggle("tl-more", rows.height - tl.scroll.clientHeight - view.top > 1);
	tl.scroll.addEventListener("scroll", () => {
		view.top = tl.scroll.scrollTop;
		tellMore();
		view.draw();
	}, { passive: true });
	const eachTile = (from, call) => {
		const left = Math.round(from / view.scale), top = topPx(), last = Math.min(view.height, Math.round(rows.height * view.dpr) - top);
		for (let k = Math.floor(left / TILE_PX); k * TILE_PX < left + view.width; k++)
			for (let j = Math.floor(top / TILE_PX); j * TILE_PX < top + last; j++) call(`${k} ${j}`, k, j, k * TILE_PX - left, j * TILE_PX - top);
	};
	const fontOf = row => `${Math.round((row.pitch < ROW.lane ? THIN_FONT_PX : BAR_FONT_PX) * view.dpr)}px ${look.text}`;
	view.laneBox = (row, lane) => ({ y: Math.round((row.y + row.top + lane * row.pitch) * view.dpr), height: Math.round(row.bar * view.dpr) });

	const paint = (key, k, j) => {
		const tile = bitmaps.get(key) || { canvas: spare.pop() || make("canvas") }, { canvas } = tile;
		if (canvas.width !== TILE_PX) canvas.width = canvas.height = TILE_PX;
		const onto = tile.pen || (tile.pen = canvas.getContext("2d")), from = k * TILE_PX * view.scale, to = (k + 1) * TILE_PX * view.scale, top = j * TILE_PX;
		const own = rows.list.filter(row => row.parts.length && (row.y + row.height) * view.dpr >= top && row.y * view.dpr <= top + TILE_PX);
		const drawn = new Set(own.flatMap(row => row.parts.flat().map(part => part.track))), shown = new Map(Array.from(drawn, track => [track, piecesOf(store, track, from, to, view.scale)]));
		bitmaps.delete(key);
		bitmaps.set(key, tile);
		tile.stale = false;
		tile.coarse = [...shown.values()].some(pieces => pieces.coarse);
		const counters = rows.list.filter(row => row.counter && (row.y + row.height) * view.dpr >= top && row.y * view.dpr <= top + TILE_PX);
		tile.ready = ![...shown.values()].some(pieces => pieces.missing) && counters.map(row => store.counter(row.counter)).every(got => got);
		if (!tile.ready) return tile;
		onto.clearRect(0, 0, TILE_PX, TILE_PX);
		onto.textBaseline = "middle";
		for (const row of own) {
			const font = row.track ? fontOf(row) : null;
			for (let lane = 0; lane < row.lanes; lane++) {
				const { y, height } = view.laneBox(row, lane);
				if (y + height < top || y > top + TILE_PX) continue;
				for (const part of row.parts[lane]) paintLane(onto, shown.get(part.track), part.lane, { from, px: view.scale, width: TILE_PX, y: y - top, height, scale: view.dpr, font }, look, texts, tl.hits);
			}
		}
		for (const row of counters) paintCounter(onto, row.counter, { from, px: view.scale, width: TILE_PX, y: Math.round((row.y + 2) * view.dpr) - top, height: Math.round((row.height - 4) * view.dpr), scale: view.dpr }, look);
		if (bitmaps.size * TILE_PX * TILE_PX > MOST_PIXELS) {
			const [oldest, { canvas: free }] = bitmaps.entries().next().value;
			bitmaps.delete(oldest);
			spare.push(free);
		}
		return tile;
	};
	const stretch = (x, y) => {
		if (!snapshot || snapshot.rows !== rows.list) return;
		const scale = view.scale / snapshot.scale, left = (view.timeAt(x) - snapshot.from) / snapshot.scale;
		pen.drawImage(snapshot.canvas, left, y + topPx() - snapshot.top, TILE_PX * scale, TILE_PX, x, y, TILE_PX, TILE_PX);
	};
	/* Bars that begin before the window have their names at its edge. */
	const names = () => {
		pen.textBaseline = "middle";
		const top = topPx();
		for (const row of rows.list) {
			if (!row.track || (row.y + row.height) * view.dpr < top || row.y * view.dpr > top + view.height) continue;
			const pieces = piecesOf(store, row.track, view.from, view.from + view.scale, view.scale);
			for (let lane = 0; lane < row.lanes; lane++) eachIn(pieces, lane, view.from, view.from + view.scale, (got, i, start, end) => {
				const right = Math.min(view.width, Math.floor(view.xOf(end))), { y, height } = view.laneBox(row, lane);
				if (start >= view.from || right < BAR.named * view.dpr || got.merged && got.share[i] < BAR.solid) return;
				const shades = look.shades(got.name[i]);
				pen.font = fontOf(row);
				const text = texts.timed(pen, got.name[i], end - start, right - 2 * BAR.pad * view.dpr), marked = tl.hits && tl.hits[got.name[i]] ? 3 * view.dpr : 0;
				pen.fillStyle = shades.fill;
				pen.fillRect(0, y - top, right, height - marked);
				pen.fillStyle = shades.text;
				pen.fillText(text, BAR.pad * view.dpr, y - top + height / 2);
			});
		}
	};
	const ground = () => {
		const top = topPx();
		pen.fillStyle = look.paper;
		pen.fillRect(0, 0, view.width, view.height);
		pen.fillStyle = look.raised;
		for (const row of rows.list) if (row.group !== undefined) pen.fillRect(0, Math.round(row.y * view.dpr) - top, view.width, Math.round(row.height * view.dpr));
		pen.fillStyle = look.line;
		for (const { time } of timeTicks(view)) pen.fillRect(Math.round(view.xOf(time)), 0, 1, view.height);
	};
	const frame = () => {
		queued = false;
		view.frames++;
		ground();
		const until = performance.now() + PAINT_MS;
		let unpainted = false;
		complete = true;
		view.coarse = false;
		eachTile(view.from, (key, k, j, x, y) => {
			let tile = bitmaps.get(key);
			if ((!tile || tile.stale) && performance.now() < until) tile = paint(key, k, j);
			if (!tile || tile.stale) unpainted = true;
			if (!tile || !tile.ready) {
				complete = false;
				stretch(x, y);
			}
			if (tile && tile.ready) pen.drawImage(tile.canvas, x, y);
			if (tile && tile.coarse) view.coarse = true;
		});
		names();
		for (const draw of tl.overlays) draw(pen, topPx());
		if (unpainted) view.draw();
		if (complete) view.whole();
		if (complete && !queued) tellDrawn();
	};
	view.draw = () => {
		if (queued) return;
		queued = true;
		requestAnimationFrame(frame);
	};
	view.isComplete = () => complete && !queued;
	/* Drawn anew: all, or what lies after a time. */
	view.repaint = (after = -Infinity) => {
		for (const [key, tile] of bitmaps) if ((Number(key.split(" ")[0]) + 1) * TILE_PX * view.scale >= after) tile.stale = true;
		view.draw();
	};
	view.arrived = tile => {
		if (!tile) { /* a counter */
			for (const bitmap of bitmaps.values()) if (!bitmap.ready) bitmap.stale = true;
			return changed();
		}
		const { from, to, cell, got } = tile;
		for (const [key, tile] of bitmaps) {
			const low_ps = Number(key.split(" ")[0]) * TILE_PX * view.scale;
			if (low_ps <= Math.max(to, got.reach) && low_ps + TILE_PX * view.scale >= from && (!tile.ready || !cell && got.reach > to)) tile.stale = true;
		}
		changed();
	};
	view.laidOut = () => {
		forget();
		snapshot = null;
		view.resize();
	};
	view.resize = () => {
		const dpr = devicePixelRatio || 1, width = Math.max(1, Math.round(tl.plot.clientWidth * dpr));
		tl.plot.style.height = rows.height + "px";
		const height = Math.max(1, Math.round(Math.min(rows.height, tl.scroll.clientHeight) * dpr)), span = view.span();
		if (width !== view.width || dpr !== view.dpr) {
			forget();
			snapshot = null;
			view.scale = span / width;
		}
		Object.assign(view, { width, height, dpr, top: tl.scroll.scrollTop });
		if (tl.body.width !== width || tl.body.height !== height) {
			Object.assign(tl.body, { width, height });
			tl.body.style.width = width / dpr + "px";
			tl.body.style.height = height / dpr + "px";
			ground(); /* an opaque canvas of a new size is black until it is drawn on */
		}
		for (const fits of tl.resized) fits();
		tellMore();
		changed();
	};
	return view;
};
