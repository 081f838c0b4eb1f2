/* Rows of a table that the reader filtered or sorted: those far out of sight are no elements, and a gap as high as they are stands for them. */

const PIECE_ROWS = 50; /* that are laid out in one go: between pieces the page answers */
const PIECE_AWAY = 100; /* that are taken away in one go */
const SIGHTS = 2; /* so many heights of the window below it, rows are laid out; Chrome adds both margins, which makes four */
const unlaid = new Set(); /* tables that have rows to come */

const gapOf = t => {
	if (t.gap) return t.gap;
	const cell = make("td");
	cell.colSpan = t.head.length;
	t.gap = make("tr", "gap");
	t.gap.setAttribute("aria-hidden", "true");
	t.gap.append(cell);
	return t.gap;
};
const bodyAt = (t, index) => index < t.laidOpen ? t.open : t.rest;

/* Takes away what is laid from there on, with cards below these rows. */
const cut = (t, from) => {
	for (const { tr } of t.list.slice(from, t.laid)) {
		const below = tr.nextElementSibling;
		if (below && below.classList.contains("card")) below.remove();
		tr.remove();
	}
	t.laid = Math.min(t.laid, from);
};
const piece = (t, count) => {
	gapOf(t).remove();
	for (let to = Math.min(t.laid + count, t.list.length); t.laid < to;) {
		const end = t.laid < t.laidOpen ? Math.min(to, t.laidOpen) : to;
		bodyAt(t, t.laid).append(...t.list.slice(t.laid, end).map(row => elementOf(t, row)));
		t.laid = end;
	}
	comeInSight(t);
};
/* The rest follows as it comes in sight. In a body that is not shown it never does. */
const comeInSight = t => {
	clearTimeout(t.after);
	if (t.seen) t.seen.disconnect();
	unlaid.delete(t);
	if (t.laid === t.list.length) return;
	unlaid.add(t);
	gapOf(t).firstChild.style.height = (t.list.length - t.laid) * (t.px || ROW_PX) + "px";
	bodyAt(t, t.laid).append(t.gap);
	const margin = `0px 0px ${SIGHTS * innerHeight}px`;
	t.seen = new IntersectionObserver(entries => {
		if (!entries.some(entry => entry.isIntersecting)) return;
		t.seen.disconnect();
		t.after = setTimeout(piece, 0, t, PIECE_ROWS);
	}, { rootMargin: margin, scrollMargin: margin });
	t.seen.observe(t.gap);
};

/* The rows wanted, of which so many are in the first body. Those that stand as they are wanted stay. A tree is whole at once, for its rows
   open and shut others. */
const lay = (t, list, open) => {
	const were = t.list, wereOpen = t.laidOpen;
	let same = 0;
	while (!t.isTree && same < t.laid && same < open === same < wereOpen && were[same] === list[same]) same++;
	cut(t, same);
	Object.assign(t, { list, laidOpen: open });
	piece(t, t.isTree ? Infinity : PIECE_ROWS);
};
/* All rows that are to come, of all tables: before all of them are printed or looked through. */
const layAll = () => unlaid.forEach(t => piece(t, Infinity));

/* Before the reader types, rows far out of sight go, some at a time: to take many away at once takes long. */
const trim = t => {
	const first = t.list[0], last = t.list[t.laid - 1];
	if (t.isTree || !last || !last.tr.getClientRects().length) return;
	const { top } = first.tr.getBoundingClientRect(), { bottom } = last.tr.getBoundingClientRect();
	t.px = (bottom - top) / t.laid;
	const keep = Math.max(PIECE_ROWS, Math.ceil(((1 + 2 * SIGHTS) * innerHeight - top) / t.px));
	if (t.laid <= keep) return;
	cut(t, Math.max(keep, t.laid - PIECE_AWAY));
	comeInSight(t);
	t.after = setTimeout(trim, 0, t);
};
