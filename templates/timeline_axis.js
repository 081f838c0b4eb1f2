/* Above the rows of the timeline: the axis with what is measured on it, findings, and the whole capture as a small map. */

const TICK_PX = 96, AXIS_PX = 40, FINDING_PX = 20, FLAG_PX = 60, LEAST_STEP_PX = 24, MAP_PX = 46, MAP_BARS_PX = 18, MOST_MAP_LANES = 6;

/* The longest of 1, 2, 5, 10 … of a unit that leaves labels their room; figures in the unit that needs three places at most, and in minutes or hours where
   those of other charts are. */
const timeTicks = ({ from, scale, width, dpr }) => {
	const least = TICK_PX * dpr * scale, to = from + scale * width;
	const stepIn = ps => {
		const power = 10 ** Math.floor(Math.log10(least / ps));
		return ps * ([1, 2, 5].map(n => n * power).find(n => n * ps >= least) || 10 * power);
	};
	const [unit, unitPs] = TIMES.findLast(([, ps]) => stepIn(ps) >= ps / 10 && (ps <= 1e12 || to >= 2 * ps)) || TIMES[0], step = stepIn(unitPs), decimals = Math.max(0, Math.round(-Math.log10(step / unitPs) + 0.499)), ticks = [];
	for (let i = Math.ceil(from / step); i * step < from + scale * width; i++) ticks.push({ time: i * step, text: (i * step / unitPs).toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }), unit });
	return ticks;
};

/* A time or a length to the third place: "37.918 ms". */
const exactly = ps => {
	if (ps === 0) return "0\u202fs";
	const [unit, scale] = TIMES.slice(0, 5).findLast(([, least]) => Math.abs(ps) >= least) || TIMES[0];
	const decimals = scale === 1 ? 0 : scale === 1e12 ? 6 : 3;
	return (ps / scale).toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) + "\u202f" + unit;
};

/* Steps of a list, which is in order, that lie in [from, to). */
const marksIn = (marks, from, to) => {
	const last = marks.findIndex(mark => mark.from_ps >= to);
	return marks.slice(0, last < 0 ? marks.length : last).filter(mark => mark.to_ps > from);
};
const markAt = (marks, time) => marks.find(mark => time >= mark.from_ps && time < mark.to_ps);

const fitCanvas = (canvas, width, height, dpr) => {
	Object.assign(canvas, { width, height: Math.round(height * dpr) });
	canvas.style.width = width / dpr + "px";
	canvas.style.height = height + "px";
};

const timelineHead = tl => {
	const { view, look, head, headName, findings, marks } = tl, pen = head.getContext("2d");
	tl.resized.push(() => fitCanvas(head, view.width, AXIS_PX + (findings.length ? FINDING_PX : 0), view.dpr));
	const measured = (dpr, { from, to, words }) => {
		const left = view.xOf(from), right = view.xOf(to), y = 30 * dpr;
		if (right < 0 || left > view.width) return;
		pen.fillStyle = look.accent;
		for (const x of [left, right]) pen.fillRect(Math.round(x), 18 * dpr, Math.max(1, dpr), 22 * dpr);
		pen.fillRect(left, y, right - left, 1);
		pen.font = `600 ${11 * dpr}px ${look.text}`;
		const width = pen.measureText(words).width, at = Math.max(4 * dpr, Math.min(view.width - width - 4 * dpr, (left + right - width) / 2));
		pen.fillStyle = look.paper;
		pen.fillRect(at - 4 * dpr, y - 8 * dpr, width + 8 * dpr, 16 * dpr);
		pen.fillStyle = look.accent;
		pen.fillText(words, at, y + 0.5 * dpr);
	};
	/* Where steps begin and end, below the figures of the axis; nothing where they are as short as a few pixels. */
	const drawSteps = dpr => {
		const seen = marksIn(marks, view.from, view.to()), y = (AXIS_PX - 5) * dpr;
		if (seen.length * LEAST_STEP_PX * dpr > view.width) return;
		for (const { label, from_ps: from, to_ps: to } of seen) {
			const left = Math.max(-dpr, view.xOf(from)), right = Math.min(view.width + dpr, view.xOf(to)), room = right - Math.max(0, left) - 8 * dpr, name = plainText(label).slice(0, 24);
			pen.fillStyle = look.line2;
			pen.fillRect(left, y, right - left - dpr, dpr);
			for (const x of [left, right - dpr]) pen.fillRect(Math.round(x), y - 14 * dpr, dpr, 15 * dpr);
			pen.fillStyle = look.ink3;
			const text = [`step ${name.replace(/^Step /, "")} · ${told(to - from, "ps")}${tl.inferred ? " (inferred)" : ""}`, name].find(words => pen.measureText(words).width <= room);
			if (text) pen.fillText(text, Math.max(0, left) + 4 * dpr, y - 7 * dpr);
		}
	};
	const beyond = () => ({
		before: findings.filter(({ to_ps: to }) => view.xOf(to) < 0).sort((a, b) => b.to_ps - a.to_ps)[0],
		after: findings.filter(({ from_ps: from }) => view.xOf(from) > view.width).sort((a, b) => a.from_ps - b.from_ps)[0],
	});
	const isSeen = ({ from_ps: from, to_ps: to }) => view.xOf(to) >= 0 && view.xOf(from) <= view.width;
	/* Findings so near that their names would not fit share a flag; the place of each flag is that of its first. */
	const flagsOf = (shown, dpr) => {
		const flags = [];
		for (const finding of shown.toSorted((a, b) => a.from_ps - b.from_ps)) {
			const at = Math.max(0, view.xOf(finding.from_ps)), last = flags.at(-1);
			if (last && at - last.at < FLAG_PX * dpr) last.of.push(finding);
			else flags.push({ at, of: [finding] });
		}
		for (const flag of flags) flag.of.sort((a, b) => findings.indexOf(a) - findings.indexOf(b));
		return flags;
	};
	/* What a flag says, in pieces by colour: all of it, or of findings that share it their numbers, and what there is room for. */
	const flagWords = ({ of }, px) => {
		const piece = ({ glyph, colour, label }, most) => ({ colour, text: `${glyph} ${plainText(label).slice(0, most)}` });
		const whole = of.map(one => piece(one, 80)), width = pieces => pieces.reduce((sum, { text }) => sum + pen.measureText(text + "  ").width, 0);
		if (width(whole) <= px) return whole;
		const numbers = of.map(one => piece(one, plainText(one.label).search(/\D/)));
		const rest = px - width(numbers.slice(1)), first = fitting(whole[0].text, rest, pen);
		return [first.length > numbers[0].text.length ? { ...whole[0], text: first } : numbers[0], ...numbers.slice(1)];
	};
	/* A flag begins on its line; at the right edge it ends there. The first findings weigh most: their marks lie over those of others. */
	const drawFindings = dpr => {
		const y = (AXIS_PX + FINDING_PX / 2) * dpr, gap = 12 * dpr, beside = 3 * dpr;
		const shown = findings.filter(isSeen);
		for (const { from_ps: from, to_ps: to, colour } of shown.toReversed()) {
			const left = Math.max(0, view.xOf(from));
			pen.fillStyle = look[colour];
			pen.fillRect(left, (AXIS_PX + FINDING_PX - 3) * dpr, Math.max(dpr, Math.min(view.width, view.xOf(to)) - left), 2 * dpr);
		}
		pen.font = `500 ${11 * dpr}px ${look.text}`;
		const flags = flagsOf(shown, dpr);
		let free = 0;
		flags.forEach((flag, i) => {
			const next = i + 1 < flags.length ? flags[i + 1].at - gap : view.width, right = next - flag.at - beside, left = flag.at - beside - free;
			const pieces = flagWords(flag, Infinity), needs = pieces.reduce((sum, { text }) => sum + pen.measureText(text + " ").width, 0);
			const leftwards = needs > right && next === view.width && left > right, words = flagWords(flag, leftwards ? left : right);
			const turned = leftwards ? words.map(({ colour, text }) => ({ colour, text: text.replace(/^(\S+) (.*)$/, "$2 $1") })).toReversed() : words;
			const sizes = turned.map(({ text }) => pen.measureText(text).width), between = pen.measureText("  ").width;
			let x = leftwards ? flag.at - beside - sizes.reduce((sum, size) => sum + size, between * (sizes.length - 1)) : flag.at + beside;
			turned.forEach(({ colour, text }, k) => {
				pen.fillStyle = look[colour];
				pen.fillText(text, x, y);
				x += sizes[k] + between;
			});
			free = x + gap;
		});
		/* A window without any says where the next are. */
		const nearest = shown.length ? {} : beyond();
		pen.fillStyle = look.ink2;
		if (nearest.before) pen.fillText(fitting(`◂ ${plainText(nearest.before.label)}`, view.width / 2 - gap, pen), 3 * dpr, y);
		if (nearest.after) {
			const text = fitting(`${plainText(nearest.after.label)} ▸`, view.width / 2 - gap, pen);
			pen.fillText(text, view.width - 3 * dpr - pen.measureText(text).width, y);
		}
	};
	const draw = () => {
		const dpr = view.dpr, ticks = timeTicks(view);
		pen.fillStyle = look.raised;
		pen.fillRect(0, 0, head.width, AXIS_PX * dpr);
		pen.fillStyle = look.paper;
		pen.fillRect(0, AXIS_PX * dpr, head.width, FINDING_PX * dpr);
		pen.textBaseline = "middle";
		pen.font = `${11 * dpr}px ${look.text}`;
		ticks.forEach(({ time, text, unit }, i) => {
			const x = Math.round(view.xOf(time));
			pen.fillStyle = look.line2;
			pen.fillRect(x, 0, 1, 6 * dpr);
			pen.fillStyle = look.ink2;
			const words = i ? text : `${text}\u202f${unit}`, at = x + 4 * dpr;
			/* A number that is cut is another one. */
			if (!i || at + pen.measureText(words).width <= view.width) pen.fillText(words, at, 10 * dpr);
		});
		const unit = ticks.length ? ticks[0].unit : "";
		if (headName.firstChild.data !== unit) headName.firstChild.data = unit;
		drawSteps(dpr);
		if (tl.measured) measured(dpr, tl.measured);
		drawFindings(dpr);
	};
	tl.overlays.push(draw);
	/* A press on a finding leads to it; on one beyond the edge, to where it is. */
	head.addEventListener("click", event => {
		const box = head.getBoundingClientRect(), time = view.timeAt((event.clientX - box.left) * view.dpr), near = 12 * view.dpr * view.scale;
		const found = event.clientY - box.top > AXIS_PX && findings.find(({ from_ps: from, to_ps: to, finding }) => time >= from - near && time <= to + near && document.getElementById(finding));
		if (found) location.hash = "#" + found.finding;
		if (found || event.clientY - box.top <= AXIS_PX || findings.some(isSeen)) return;
		const { before, after } = beyond(), one = event.clientX - box.left < box.width / 2 ? before : after;
		if (one) tl.goTo(one.from_ps, one.to_ps, 0.5);
	});
};

/* The map has a lane for each of the first groups, with the track that has most events over those of its kind; where none of a group's tracks
   stands for the others, as in a run's phases, a lane for each of them. */
const mapTracks = tracks => [...new Set(tracks.map(track => track.group))].flatMap(group => {
	const own = tracks.filter(track => track.group === group);
	return mainKind(own) ? [byEvents(mainTracks(own)).reverse()] : own.map(track => [track]);
}).slice(0, MOST_MAP_LANES);

const timelineMap = tl => {
	const { view, look, map, marks, findings, store, low, high } = tl, pen = map.getContext("2d"), base = make("canvas"), tracks = mapTracks(store.tracks);
	let drawn = null;
	const isAround = name => { const { hue } = tl.names[name] || {}; return !hue || hue === "host"; };
	const px = () => (high - low) / view.width;
	const xOf = time => (time - low) / (high - low) * view.width;
	const drawBase = () => {
		const dpr = view.dpr, onto = base.getContext("2d"), pitch = MAP_BARS_PX * dpr / tracks.length, gap = tracks.length > 1 ? dpr : 0;
		let missing = false;
		Object.assign(base, { width: view.width, height: MAP_BARS_PX * dpr });
		onto.clearRect(0, 0, base.width, base.height);
		onto.textBaseline = "middle";
		for (const [i, some] of tracks.entries()) for (const track of some) {
			const pieces = piecesOf(store, track, low, high, px()), y = Math.round(i * pitch);
			/* Over what marks steps, and calls of the host, what runs in them. */
			for (const isWanted of [isAround, name => !isAround(name)]) for (let lane = 0; lane < closedLanesOf(track); lane++) paintLane(onto, pieces, lane, { from: low, px: px(), width: view.width, y, height: Math.round((i + 1) * pitch) - y - gap, scale: dpr, font: null }, look, tl.texts, null, isWanted);
			missing ||= pieces.missing;
		}
		drawn = missing ? null : look.now;
	};
	const drawSteps = dpr => {
		let free = -Infinity;
		pen.font = `${11 * dpr}px ${look.text}`;
		pen.fillStyle = look.ink3;
		for (const { label, from_ps: from } of marks) {
			const x = xOf(from);
			if (x < free) continue;
			const text = plainText(label).slice(0, 24), width = pen.measureText(text).width;
			if (x + width > view.width) break;
			pen.fillText(text, x, 38 * dpr);
			free = x + width + 10 * dpr;
		}
	};
	const draw = () => {
		const dpr = view.dpr, left = Math.floor(xOf(view.from)), right = Math.ceil(xOf(view.to())), top = 12 * dpr;
		if (drawn !== look.now) drawBase();
		pen.fillStyle = look.paper;
		pen.fillRect(0, 0, map.width, map.height);
		pen.globalAlpha = 0.4;
		pen.drawImage(base, 0, top);
		pen.globalAlpha = 1;
		const width = Math.max(2, right - left);
		pen.drawImage(base, left, 0, width, base.height, left, top, width, base.height);
		pen.textBaseline = "middle";
		drawSteps(dpr);
		pen.font = `${9 * dpr}px ${look.text}`;
		for (const { from_ps: from, glyph, colour } of findings.toReversed()) {
			pen.fillStyle = look[colour];
			pen.fillText(glyph, Math.min(map.width - 9 * dpr, xOf(from)), 5 * dpr);
		}
		pen.strokeStyle = look.ink;
		pen.lineWidth = 1.5 * dpr;
		pen.strokeRect(left, top - 2 * dpr, Math.max(width, 3 * dpr), base.height + 4 * dpr);
	};
	tl.resized.push(() => { fitCanvas(map, view.width, MAP_PX, view.dpr); drawn = null; });
	tl.overlays.push(draw);
	/* A press or a drag puts the window there. */
	const to = event => {
		const box = map.getBoundingClientRect();
		view.move(low + (event.clientX - box.left) / box.width * (high - low) - view.span() / 2);
	};
	map.addEventListener("pointerdown", event => {
		if (event.button) return;
		map.setPointerCapture(event.pointerId);
		to(event);
	});
	map.addEventListener("pointermove", event => { if (map.hasPointerCapture(event.pointerId)) to(event); });
};
