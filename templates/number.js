/* Figures in words, exactly as src/base/number.c has them: what report.json leaves out, for it follows from value and unit. */

const TIMES = [["ps", 1, 1000], ["ns", 1e3, 1000], ["µs", 1e6, 1000], ["ms", 1e9, 1000], ["s", 1e12, 120], ["min", 60e12, 120], ["h", 3600e12, Infinity]];
const ladder = (names, step) => names.map((name, i) => [name, step ** i, i + 1 < names.length ? step : Infinity]);
const SIZES = ladder(["B", "KiB", "MiB", "GiB", "TiB"], 1024), LINKS = ladder(["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"], 1024);
const WORK = ladder(["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"], 1000), SPEED = WORK.map(([name, ...rest]) => [name + "/s", ...rest]);
const BANDWIDTH = ladder(["B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"], 1000);
/* Of each unit its ladder of symbols and how many of the smallest unit it is. */
const UNITS = {
	"": [[["", 1, Infinity]], 1], count: [[["", 1, Infinity]], 1],
	ps: [TIMES, 1], ns: [TIMES, 1e3], us: [TIMES, 1e6], ms: [TIMES, 1e9], s: [TIMES, 1e12],
	bytes: [SIZES, 1], kib: [SIZES, 2 ** 10], mib: [SIZES, 2 ** 20], gib: [SIZES, 2 ** 30],
	flop: [WORK, 1], mflop: [WORK, 1e6], gflop: [WORK, 1e9], flop_per_s: [SPEED, 1], gflop_per_s: [SPEED, 1e9], tflop_per_s: [SPEED, 1e12],
	bytes_per_s: [BANDWIDTH, 1], gb_per_s: [BANDWIDTH, 1e9], gib_per_s: [LINKS, 2 ** 30], flop_per_byte: [[["FLOP/B", 1, Infinity]], 1],
};

/* |x| with so many decimals. What lies in the middle goes to the even digit, as in C; toFixed takes it up. */
const places = (x, decimals) => {
	const text = x.toFixed(decimals), last = Number(text.at(-1));
	const middle = last % 2 === 1 && /^50*$/.test(x.toFixed(100).slice(text.length + (decimals ? 0 : 1)));
	return (middle ? text.slice(0, -1) + (last - 1) : text).replace(/^\d+/, n => n.replace(/\B(?=(\d{3})+$)/g, ","));
};
const significant = (x, digits) => places(x, Math.min(100, Math.max(0, digits - 1 - Number(x.toExponential(digits - 1).split("e")[1]))));
const rounded = x => x >= 1000 ? Math.round(x) : Number(x.toPrecision(3));

const rungOf = (unit, base) => {
	const [rungs] = UNITS[unit];
	return unit === "ms" && base >= 1e8 && rounded(base / 1e9) < 1000 ? TIMES[3] : rungs.find(([, scale, limit]) => rounded(base / scale) < limit);
};
const laddered = (x, unit) => {
	const [rungs, own] = UNITS[unit], base = x * own;
	const [symbol, scale] = x === 0 && rungs !== SIZES ? rungs.find(rung => rung[1] === own) : rungOf(unit, base);
	const figure = scale === 1 && base === Math.floor(base) ? places(base, 0) : x === 0 ? "0" : significant(base / scale, 3);
	return figure + (symbol && "\u202f" + symbol);
};

/* With so many decimals and without its unit, which the head of a column names. What is too near to 0 for them says so; a share is not
   rounded up to them. */
const fixed = (value, unit, decimals) => {
	const x = unit === "share" ? value * 100 : value, size = Math.abs(x), text = places(size, decimals), least = Number(`1e-${decimals}`);
	const small = x !== 0 && (unit === "share" ? size < least : !/[1-9]/.test(text));
	return small ? "<" + places(least, decimals) : (x < 0 ? "−" : "") + text;
};

/* A value in a unit as report.json names it. */
const told = (value, unit = "") => {
	if (value === null) return "–";
	if (typeof value === "string") return value;
	const x = Math.abs(value), sign = value < 0 ? "−" : "";
	if (unit === "share") return `${fixed(value, unit, 1)}\u202f%`;
	if (unit === "times") return `${sign}${x === 0 ? "0" : significant(x, x < 10 ? 2 : 3)}×`;
	return sign + laddered(x, unit);
};
const sized = bytes => told(bytes, "bytes");

const inUnit = (value, from, to) => from === to ? value : UNITS[from][1] >= UNITS[to][1] ? value * (UNITS[from][1] / UNITS[to][1]) : value / (UNITS[to][1] / UNITS[from][1]);

/* What a cell of report.json shows. */
const SHOWN_IN_DECIMALS = 2;
const textOf = (cell, column) => {
	const { unit, shown_in: other, decimals } = column;
	if (cell.text !== undefined) return cell.text;
	const text = typeof cell.value !== "number" || !unit || !other && decimals === undefined ? told(cell.value, unit || cell.unit)
		: other ? fixed(inUnit(cell.value, unit, other), other, SHOWN_IN_DECIMALS) : fixed(cell.value, unit, decimals);
	return (column.change && cell.value > 0 && text[0] !== "<" ? "+" : "") + text;
};
