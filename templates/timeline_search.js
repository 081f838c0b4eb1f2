/* The timeline's own search: which events have a name, the next and the one before, and a list. */

const LISTED = 50, MOST_MATCHES = 1e6;

const timelineSearch = tl => {
	const { store, names, view, pick } = tl, box = make("span", "tl-find"), field = make("input", "find"), count = make("span", "m"), list = make("div", "tl-matches");
	let matches = [], at = -1, turn = 0, pause = 0, whole = true, going = false;
	list.hidden = true;
	field.type = "search";
	field.placeholder = "Find a name  /";
	field.setAttribute("aria-label", "Find events by name");
	count.setAttribute("role", "status");
	const button = (text, label, call) => {
		const made = make("button", "tl-button", text);
		made.type = "button";
		made.setAttribute("aria-label", label);
		made.addEventListener("click", call);
		return made;
	};
	const toList = button("list", "List of matches", () => { list.hidden = !list.hidden; toList.setAttribute("aria-expanded", !list.hidden); tellList(); });
	toList.setAttribute("aria-expanded", false);
	box.append(field, count, button("◂", "Previous match", () => tl.nextMatch(-1)), button("▸", "Next match", () => tl.nextMatch(1)), toList);

	const inView = () => matches.reduce((sum, m) => sum + (m.start < view.to() && m.end >= view.from ? 1 : 0), 0);
	const tell = () => {
		const here = matches.length <= 20000 ? `${inView().toLocaleString("en")} here · ` : "";
		count.textContent = !field.value ? "" : turn < 0 ? "…" : matches.length ? `${at >= 0 ? `${(at + 1).toLocaleString("en")} of ` : ""}${matches.length.toLocaleString("en")}${whole ? "" : " kept"} · ${here}`.replace(/ · $/, "") : "none";
	};
	const tellList = () => {
		if (list.hidden) return;
		const from = Math.max(0, Math.min(at - 5, matches.length - LISTED)), rows = matches.slice(from, from + LISTED);
		const table = make("table", "t half"), body = table.createTBody();
		table.prepend(make("caption", undefined, matches.length > LISTED ? `Matches ${(from + 1).toLocaleString("en")} to ${(from + rows.length).toLocaleString("en")} of ${matches.length.toLocaleString("en")}` : "Matches"));
		rows.forEach((event, i) => {
			const row = body.insertRow(), go = make("button", "tl-link");
			go.type = "button";
			go.append(named(tl.texts.of(event.name).slice(0, 120)));
			go.addEventListener("click", () => { toMatch(from + i); });
			for (const part of [go, plainText(event.track.name), exactly(event.start), exactly(event.end - event.start)]) row.insertCell().append(part);
			row.cells[2].className = row.cells[3].className = "r";
			if (from + i === at) row.setAttribute("aria-current", "true");
		});
		list.replaceChildren(scrolled(table, "scroll rows"));
	};
	const toMatch = to => {
		at = to;
		const event = matches[at];
		tl.select(event);
		view.reveal(event.start, event.end);
		tell();
		tellList();
	};
	/* All tiles of events are read; those that come later are looked through then. */
	const gather = () => {
		const found = [];
		whole = true;
		for (const track of store.tracks) {
			for (const tile of track.full) {
				const got = store.want(tile);
				if (!got) continue;
				for (let lane = 0; lane + 1 < got.at.length; lane++) for (let i = got.at[lane]; i < got.at[lane + 1] && found.length < MOST_MATCHES; i++)
					if (tl.hits[got.name[i]]) found.push({ track, lane, start: got.start[i], end: got.end[i], name: got.name[i], merged: null, share: 1 });
			}
			const kept = track.full.reduce((sum, tile) => sum + tile.spec.count, 0);
			if (kept < track.events) whole = false;
		}
		matches = found.sort((a, b) => a.start - b.start || a.lane - b.lane);
		at = tl.selected ? matches.findIndex(event => pick.same(event, tl.selected)) : -1;
	};
	const again = mine => {
		if (mine !== turn || !tl.hits) return;
		gather();
		tell();
		tellList();
		if (store.waiting > 0) setTimeout(() => again(mine), AGAIN_MS);
		else if (going) tl.nextMatch(1);
	};
	const find = () => {
		const text = field.value.trim().toLowerCase(), mine = ++turn;
		tl.hits = null;
		matches = [];
		at = -1;
		if (text) {
			/* Within quotes a whole name, as it is. */
			const [, exact] = /^"(.*)"$/s.exec(field.value.trim()) || [], has = said => said.toLowerCase().includes(text);
			tl.hits = names.map(({ name, more = "" }) => exact ? name.slice(0, CUT_BEFORE) === exact : has(name) || has(plainText(name)) || has(more));
			again(mine);
		}
		tell();
		tellList();
		view.repaint();
		tl.keepAddress();
	};
	field.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(find, TYPING_MS); });
	field.addEventListener("keydown", event => {
		if (event.key === "Enter") { clearTimeout(pause); if (!tl.hits) find(); tl.nextMatch(event.shiftKey ? -1 : 1); }
		else if (event.key === "Escape") { field.value = ""; find(); tl.body.focus(); }
		else return;
		event.preventDefault();
		event.stopPropagation();
	});
	tl.find = () => { field.focus(); field.select(); };
	tl.nameText = name => `"${name.slice(0, CUT_BEFORE)}"`;
	tl.search = (text, go = true) => {
		field.value = text;
		find();
		going = go;
		if (go && !store.waiting) tl.nextMatch(1);
	};
	tl.found = () => field.value.trim();
	/* From the selected event, or from the beginning of the window. */
	tl.nextMatch = way => {
		if (!matches.length) return;
		going = false;
		const here = at >= 0 ? at + way : way > 0 ? matches.findIndex(event => event.start >= view.from) : matches.findLastIndex(event => event.end <= view.to());
		toMatch((here + matches.length) % matches.length);
	};
	tl.matches = () => matches;
	tl.tellMatches = tell;
	return { box, list, clear() { if (!field.value) return false; field.value = ""; find(); return true; } };
};
