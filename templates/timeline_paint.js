/* A lane of the timeline as rectangles: at most one for each column of pixels, as high as the share of it that events cover. */

const BAR = { wide: 4, named: 30, pad: 4, least: 3, solid: 0.98 };

/* Draws [from, from + width × px) of a lane at y; `pen` is a canvas of that width, `scale` its pixels for one of the page, `font` that of names, if any; `isWanted` chooses names. */
const paintLane = (pen, pieces, lane, { from, px, width, y, height, scale, font }, look, texts, hits, isWanted = null) => {
	let free = 0, column = -1, sum = 0, most = 0, who = 0, hit = false;
	let run = null; /* neighbours of one colour and height are one rectangle */
	const emit = () => {
		if (!run) return;
		pen.fillStyle = run.fill;
		pen.fillRect(run.from, y + height - run.bar, run.to - run.from, run.bar);
		if (run.hit) {
			pen.fillStyle = look.warn;
			pen.fillRect(run.from, y + height - 3 * scale, run.to - run.from, 3 * scale);
		}
		run = null;
	};
	/* What is there is seen, however little of the time it covers. */
	const least = Math.min(height, BAR.least * scale);
	const fill = (left, right, share, style, marked) => {
		const bar = share >= BAR.solid ? height : Math.max(least, Math.round(share * height));
		if (run && run.fill === style && run.bar === bar && run.to === left && run.hit === marked) run.to = right;
		else { emit(); run = { from: left, to: right, bar, fill: style, hit: marked }; }
		free = right;
	};
	const flush = () => {
		if (column < 0) return;
		fill(column, column + 1, sum, look.shades(who).fill, hit);
		column = -1;
		sum = most = 0;
		hit = false;
	};
	const add = (at, share, name) => {
		if (at < free || at >= width) return;
		if (at !== column) { flush(); column = at; }
		sum += share;
		if (share >= most) { most = share; who = name; }
		if (hits && hits[name]) hit = true;
	};
	const label = (left, right, name, share, length) => {
		if (!font || right - left < BAR.named * scale || right < 0 || left >= width || share < BAR.solid) return;
		emit();
		if (pen.font !== font) pen.font = font;
		const text = texts.timed(pen, name, length, right - left - 2 * BAR.pad * scale);
		pen.fillStyle = look.shades(name).text;
		pen.fillText(text, left + BAR.pad * scale, y + height / 2);
	};
	eachIn(pieces, lane, from, from + width * px, (got, i, start, end) => {
		const name = got.name[i], share = got.merged ? got.share[i] : 1;
		if (isWanted && !isWanted(name)) return;
		const left = (start - from) / px, right = (end - from) / px, first = Math.floor(left), last = Math.floor(right);
		if (right - left >= BAR.wide) {
			/* A pixel is left free between neighbours. */
			flush();
			const a = Math.max(first + 1, free, 0), b = Math.min(last, width);
			if (b > a) {
				fill(a, b, share, look.shades(name).fill, !!(hits && hits[name]));
				label(first + 1, last, name, share, end - start);
			}
			return;
		}
		if (first === last) return add(first, (right - left) * share, name);
		add(first, (first + 1 - left) * share, name);
		for (let at = Math.max(first + 1, 0); at < last && at < width; at++) add(at, share, name);
		if (right > last) add(last, (right - last) * share, name);
	});
	flush();
	emit();
};

/* A counter as an area: in each column of pixels the greatest value that it has there, or of means their mean. */
const paintCounter = (pen, counter, { from, px, width, y, height, scale }, look) => {
	const { got, unit } = counter, top = unit === "share" ? 1 : counter.top, greatest = counter.how.startsWith("max");
	pen.fillStyle = look.line;
	pen.fillRect(0, y + height - scale, width, scale);
	pen.fillStyle = look.counters[unit] || look.ink3;
	let i = Math.max(0, firstFrom(got.start, from) - 1), run = null;
	const fill = (left, right, value) => {
		const bar = value > 0 ? Math.max(scale, Math.min(height, Math.round(value / top * height))) : 0;
		if (run && run.bar === bar && run.to === left) { run.to = right; return; }
		if (run && run.bar) pen.fillRect(run.from, y + height - run.bar, run.to - run.from, run.bar);
		run = { from: left, to: right, bar };
	};
	let column = -1, most = 0;
	const flush = () => { if (column >= 0) fill(column, column + 1, most); column = -1; most = 0; };
	for (; i < got.start.length && got.start[i] < from + width * px; i++) {
		const left = Math.max(0, (got.start[i] - from) / px), right = Math.min(width, i + 1 < got.start.length ? (got.start[i + 1] - from) / px : width);
		if (right <= 0) continue;
		const first = Math.floor(left);
		if (first !== column) { flush(); column = first; }
		most = greatest ? Math.max(most, got.value[i]) : most + got.value[i] * (Math.min(right, first + 1) - left);
		if (right > first + 1) {
			flush();
			fill(first + 1, Math.floor(right), got.value[i]);
			column = Math.floor(right);
			most = right > column ? got.value[i] * (greatest ? 1 : right - column) : 0;
		}
	}
	flush();
	fill(width, width, -1);
};
/* Its value at a time. */
const counterAt = ({ got }, time) => {
	const i = got ? firstFrom(got.start, time + 1) - 1 : -1;
	return i >= 0 ? got.value[i] : 0;
};

/* How many events begin or last in a window, and how many of them are shorter than a pixel. `about`: some are known as cells alone. */
const countIn = (pieces, lanes, from, to, px, sums) => {
	for (let lane = 0; lane < lanes; lane++) eachIn(pieces, lane, from, to, (got, i, start, end) => {
		const length = (end - start) * (got.merged ? got.share[i] : 1);
		if (!got.merged) {
			sums.events++;
			if (length < px) sums.short++;
			return;
		}
		sums.about = true;
		sums.events += got.merged[i];
		sums.short += Math.max(0, got.merged[i] - (length >= px ? 1 : 0));
	});
};
