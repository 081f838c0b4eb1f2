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
const save = (text, type, name) => {
	const link = make("a");
	link.href = URL.createObjectURL(new Blob([text], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
/* Of elements of a kind within another, the tab key reaches one; from there arrows go on. So a table is passed by a few keys. Where sorting
   or filtering takes that one away, the first is reached again. */
const roving = (within, selector, before, after) => {
	const reach = wanted => all(selector, within).forEach((e, i) => { e.tabIndex = (wanted ? e === wanted : i === 0) ? 0 : -1; });
	const one = selector.split(",").map(s => s + "[tabindex='0']").join(",");
	reach();
	new MutationObserver(() => { if (!within.querySelector(one)) reach(); }).observe(within, { childList: true, subtree: true });
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

const SIZES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/* Figures in words, as src/base/number.c has them. */
const UNITS = Object.keys(SIZES);
const sized = bytes => {
	let x = Math.abs(bytes), unit = 0;
	while (x >= 1024 && unit < 4) { x /= 1024; unit++; }
	const digits = unit === 0 || x >= 999.5 ? String(Math.round(x)) : x.toPrecision(3);
	return (bytes < 0 ? "−" : "") + digits.replace(/\B(?=(\d{3})+$)/, ",") + "\u202f" + UNITS[unit];
};

const TIMES = [["ps", 1, 1000], ["ns", 1e3, 1000], ["µs", 1e6, 1000], ["ms", 1e9, 1000], ["s", 1e12, 120], ["min", 60e12, 120], ["h", 3600e12, Infinity]];
const TIME_UNITS = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };
const rounded = x => x >= 1000 ? Math.round(x) : Number(x.toPrecision(3));
/* A value ≥ 0 in a unit as report.json names it. */
const told = (value, unit) => {
	if (unit === "share") return `${value > 0 && value < 0.001 ? "<0.1" : (value * 100).toFixed(1)}\u202f%`;
	if (unit === "bytes") return sized(value);
	const ps = value * TIME_UNITS[unit];
	if (!ps) return `0\u202f${unit === "us" ? "µs" : unit}`;
	const near = unit === "ms" && ps >= 1e8 && rounded(ps / 1e9) < 1000;
	const [symbol, scale] = near ? TIMES[3] : TIMES.find(([, of, limit]) => rounded(ps / of) < limit), x = ps / scale;
	return (rounded(x) >= 1000 ? rounded(x).toLocaleString("en") : x.toPrecision(3)) + "\u202f" + symbol;
};
