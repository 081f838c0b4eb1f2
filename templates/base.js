/* What the other scripts of the page share. All of them are one script there, in the order of src/render/html.c. Everything is on the page
   without them. */
"use strict";

const make = (name, className, text) => {
	const element = document.createElement(name);
	if (className) element.className = className;
	if (text !== undefined) element.textContent = text;
	return element;
};
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
/* Where a column stands in a table of the page, which lacks those that are the same in all rows: -1 for them. */
const placeOf = (box, column) => column ? all("thead th", box).findIndex(th => (th.querySelector(".h") || th).textContent.trim() === column.title) : -1;
const save = (text, type, name) => {
	const link = make("a");
	link.href = URL.createObjectURL(new Blob([text], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
/* Of elements of a kind within another, the tab key reaches one; from there arrows go on. So a table is passed by a few keys. Where sorting
   or filtering takes that one away, the first is reached again; further ones that come are reached by arrows. */
const roving = (within, selector, before, after) => {
	const reach = wanted => all(selector, within).forEach((e, i) => { e.tabIndex = (wanted ? e === wanted : i === 0) ? 0 : -1; });
	const those = state => selector.split(",").map(s => s + state).join(","), one = those("[tabindex='0']"), fresh = those(":not([tabindex])");
	reach();
	new MutationObserver(() => {
		const reached = all(one, within);
		if (reached.length !== 1 || within.querySelector(fresh)) reach(reached[0]);
	}).observe(within, { childList: true, subtree: true });
	within.addEventListener("focusin", event => { if (event.target.matches(selector)) reach(event.target); });
	within.addEventListener("keydown", event => {
		if (!event.target.matches(selector) || ![before, after].includes(event.key)) return;
		const list = all(selector, within).filter(e => e.getClientRects().length);
		const next = list[list.indexOf(event.target) + (event.key === after ? 1 : -1)];
		if (!next) return;
		event.preventDefault();
		next.focus();
	});
};
