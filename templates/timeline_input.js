/* Pointers, wheel and keys over the timeline. */

const WHEEL_ZOOM = 0.0015, KEY_ZOOM = 0.7, KEY_PAN = 0.1, CLICK_PX = 4, LINE_PX = 16;

const timelineInput = tl => {
	const { view, pick, body, plot, scroll } = tl, pointers = new Map();
	let gesture = null;

	const placeOf = event => {
		const box = body.getBoundingClientRect();
		return { x: (event.clientX - box.left) * view.dpr, y: (event.clientY - box.top + scroll.scrollTop) * view.dpr };
	};
	const stretch = (a, b) => ({ from: Math.min(a.time, b.time), to: Math.max(a.time, b.time), what: [...new Set([a.what, b.what].filter(what => what))].join(", ") });

	/* By tool: what a drag does, and at its end. */
	const TOOLS = {
		select: {
			move(start, now) { tl.setRange({ ...stretch(start.edge, pick.snap(now.x, now.y)), track: start.track, dragging: true }); },
			end() { tl.setRange({ ...tl.range, dragging: false }); },
		},
		pan: {
			move(start, now) {
				view.move(start.from - (now.x - start.x) * view.scale);
				scroll.scrollTop = start.top - (now.clientY - start.clientY);
			},
		},
		zoom: {
			move(start, now) { tl.measure({ ...stretch({ time: view.timeAt(start.x) }, { time: view.timeAt(now.x) }), zoom: true }); },
			end() {
				const { from, to } = tl.measured;
				tl.measure(null);
				view.set(from, to);
			},
		},
		time: { move(start, now) { tl.measure(stretch(start.edge, pick.snap(now.x, now.y))); } },
	};

	const pinch = () => {
		const [a, b] = [...pointers.values()];
		return { middle: (a.x + b.x) / 2, apart: Math.max(10, Math.abs(a.x - b.x)) };
	};
	body.addEventListener("pointerdown", event => {
		if (event.button > 1) return;
		body.focus({ preventScroll: true });
		body.setPointerCapture(event.pointerId);
		const place = placeOf(event), lane = tl.rows.laneAt(place.y / view.dpr);
		pointers.set(event.pointerId, place);
		if (event.button === 1) event.preventDefault();
		if (pointers.size === 2) {
			gesture = { pinch: pinch() };
			return;
		}
		const tool = event.button === 1 || event.shiftKey ? "pan" : tl.tool;
		gesture = { tool, moved: false, ...place, clientX: event.clientX, clientY: event.clientY, top: scroll.scrollTop, from: view.from, edge: pick.snap(place.x, place.y), track: lane && lane.row.parts[lane.lane][0].track };
	});
	body.addEventListener("pointermove", event => {
		const place = placeOf(event);
		if (!pointers.has(event.pointerId)) {
			if (event.pointerType === "mouse") tl.point(place, event);
			return;
		}
		pointers.set(event.pointerId, place);
		if (!gesture) return;
		if (gesture.pinch) {
			if (pointers.size < 2) return;
			const now = pinch(), was = gesture.pinch;
			view.pan(was.middle - now.middle);
			view.zoom(was.apart / now.apart, now.middle);
			gesture.pinch = now;
			return;
		}
		if (!gesture.moved && Math.hypot(event.clientX - gesture.clientX, event.clientY - gesture.clientY) < CLICK_PX) return;
		gesture.moved = true;
		tl.point(null);
		TOOLS[gesture.tool].move(gesture, { ...place, clientY: event.clientY });
	});
	const up = event => {
		pointers.delete(event.pointerId);
		const done = gesture;
		if (pointers.size === 0) gesture = null;
		if (!done || done.pinch || event.type === "pointercancel") return;
		if (done.moved) { const { end } = TOOLS[done.tool]; if (end) end(); }
		else if (done.tool === "time") tl.measure(null);
		else tl.select(pick.at(done.x, done.y));
	};
	body.addEventListener("pointerup", up);
	body.addEventListener("pointercancel", up);
	body.addEventListener("pointerleave", () => tl.point(null));
	body.addEventListener("dblclick", event => {
		const { x, y } = placeOf(event), found = pick.at(x, y);
		if (found) view.show(found.start, found.end);
	});
	/* The wheel scrolls the page, until the drawing is pressed; with Ctrl it always zooms, sidewards it always pans. */
	for (const element of [body, tl.head, tl.map]) element.addEventListener("wheel", event => {
		const lines = event.deltaMode === 1 ? LINE_PX : 1, sidewards = Math.abs(event.deltaX) > Math.abs(event.deltaY);
		if (sidewards) view.pan(event.deltaX * lines * view.dpr);
		else if (event.shiftKey) scroll.scrollTop += event.deltaY * lines;
		else if (event.ctrlKey || event.metaKey || tl.box.contains(document.activeElement)) view.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY * lines)) * WHEEL_ZOOM * (event.ctrlKey ? 3 : 1)), placeOf(event).x);
		else return;
		event.preventDefault();
	}, { passive: false });
	scroll.addEventListener("scroll", () => tl.point(null), { passive: true });

	const walk = (way, across) => {
		const next = tl.selected ? (across ? pick.across(tl.selected, way) : pick.beside(tl.selected, way)) : pick.first();
		if (!next) return;
		tl.select(next);
		view.reveal(next.start, next.end);
	};
	const KEYS = {
		w: () => view.zoom(KEY_ZOOM, tl.pointed ? tl.pointed.x : undefined), s: () => view.zoom(1 / KEY_ZOOM, tl.pointed ? tl.pointed.x : undefined),
		"+": () => view.zoom(KEY_ZOOM), "=": () => view.zoom(KEY_ZOOM), "-": () => view.zoom(1 / KEY_ZOOM), "−": () => view.zoom(1 / KEY_ZOOM),
		a: () => view.pan(-KEY_PAN * view.width), d: () => view.pan(KEY_PAN * view.width),
		ArrowLeft: () => tl.selected ? walk(-1) : view.pan(-KEY_PAN * view.width), ArrowRight: () => tl.selected ? walk(1) : view.pan(KEY_PAN * view.width),
		ArrowUp: () => walk(-1, true), ArrowDown: () => walk(1, true),
		f: () => view.fit(),
		m: () => { if (tl.selected) { view.show(tl.selected.start, tl.selected.end); tl.setRange({ from: tl.selected.start, to: tl.selected.end, track: tl.selected.track, what: tl.texts.of(tl.selected.name) }); } },
		Enter: () => { if (tl.selected) view.show(tl.selected.start, tl.selected.end); else walk(1); },
		Home: () => view.move(tl.low), End: () => view.move(tl.high),
		1: () => tl.setTool("select"), 2: () => tl.setTool("pan"), 3: () => tl.setTool("zoom"), 4: () => tl.setTool("time"),
		"/": () => tl.find(), "?": () => tl.keys(),
		n: () => tl.nextMatch(1), N: () => tl.nextMatch(-1),
		Escape: () => tl.escape(),
	};
	tl.box.addEventListener("keydown", event => {
		const field = event.target.closest("input, select, textarea");
		if (event.ctrlKey || event.metaKey || event.altKey || field) return;
		const act = KEYS[event.key.length === 1 && event.key !== "N" ? event.key.toLowerCase() : event.key];
		/* Buttons and links keep Enter, and rows of tables their arrows. */
		if (!act || event.target !== body && (event.key === "Enter" || event.key.startsWith("Arrow"))) return;
		event.preventDefault();
		event.stopPropagation();
		act();
	});
	plot.addEventListener("contextmenu", event => { if (gesture) event.preventDefault(); });
};
