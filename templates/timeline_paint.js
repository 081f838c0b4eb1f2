/* A lane of the timeline as rectangles: at most one for each column of pixels. */

const BAR = { wide: 4, named: 30, pad: 4, least: 1 / 16, solid: 0.98 };

/* Draws [from, from + width × px) of a lane at y; `pen` is a canvas of that width, `scale` its pixels for one of the page, `font` that of names, if any. */
const paintLane = (pen, pieces, lane, { from, px, width, y, height, scale, font }, look, texts, hits) => {
	let free = 0, column = -1, sum = 0, most = 0, who = 0, hit = false;
	let run = null; /* neighbours of one colour are one rectangle */
	const emit = () => {
		if (!run) return;
		pen.fillStyle = run.fill;
		pen.fillRect(run.from, y, run.to - run.from, height);
		if (run.hit) {
			pen.fillStyle = look.warn;
			pen.fillRect(run.from, y + height - 3 * scale, run.to - run.from, 3 * scale);
		}
		run = null;
	};
	const fill = (left, right, style, marked) => {
		if (run && run.fill === style && run.to === left && run.hit === marked) run.to = right;
		else { emit(); run = { from: left, to: right, fill: style, hit: marked }; }
		free = right;
	};
	const flush = () => {
		if (column < 0) return;
		fill(column, column + 1, look.shades(who).fills[levelOf(sum)], hit);
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
		const left = (start - from) / px, right = (end - from) / px, first = Math.floor(left), last = Math.floor(right);
		if (right - left >= BAR.wide) {
			/* A pixel is left free between neighbours. */
			flush();
			const a = Math.max(first + 1, free, 0), b = Math.min(last, width);
			if (b > a) {
				fill(a, b, look.shades(name).fills[levelOf(share)], !!(hits && hits[name]));
				label(first + 1, last, name, share, end - start);
			}
			return;
		}
		if (first === last) return add(first, Math.max((right - left) * share, BAR.least), name);
		add(first, (first + 1 - left) * share, name);
		for (let at = Math.max(first + 1, 0); at < last && at < width; at++) add(at, share, name);
		if (right > last) add(last, (right - last) * share, name);
	});
	flush();
	emit();
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
