/* The colours of the timeline, as the style sheet has them, and how texts fit into bars. */

/* Control characters as what stands for them, so that nothing is hidden. */
const plainText = text => text.replace(/[\0-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0))).replaceAll("\x7f", "\u2421");

const CLASS_HUES = ["compute", "memory", "collective", "input", "output", "host", "compile", "idle"];
const TINTS = 4, NAME_HUES = 120, EVEN = 0.18;
const CUT_BEFORE = 400; /* characters; no screen shows as many on a bar */

const timelineLook = (element, names) => {
	const look = {}, dot = make("canvas");
	dot.width = dot.height = 1;
	const dotPen = dot.getContext("2d", { willReadFrequently: true });
	const rgb = colour => {
		dotPen.clearRect(0, 0, 1, 1);
		dotPen.fillStyle = colour;
		dotPen.fillRect(0, 0, 1, 1);
		return [...dotPen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
	};
	const over = (colour, paper, share) => `rgb(${colour.map((value, i) => Math.round(value * share + paper[i] * (1 - share))).join(" ")})`;
	const shades = (colour, text) => ({ fill: over(colour, colour, 1), text });
	/* Relative luminance, 0 to 1; from EVEN on dark text has more contrast to it than light text has. */
	const luminance = colour => colour.reduce((sum, value, i) => sum + [.2126, .7152, .0722][i] * (value / 255) ** 2.2, 0);
	/* The same name has the same colour in each report. */
	const hueOf = text => {
		let hash = 0;
		for (const c of text.slice(0, CUT_BEFORE)) hash = (Math.imul(hash, 31) + c.codePointAt(0)) >>> 0;
		return Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d) >>> 8 & 0xffff;
	};
	/* Of each class its colour and its tints on paper, as the style sheet has them. */
	const tintsOf = paper => {
		const box = make("span", "tl"), marks = new Map(CLASS_HUES.map(hue => [hue, Array.from({ length: TINTS }, (_, tint) => make("i", `c-${hue}${tint ? ` t${tint}` : ""}`))]));
		box.hidden = true;
		box.append(...[...marks.values()].flat());
		element.append(box);
		const found = new Map(Array.from(marks, ([hue, some]) => [hue, some.map(one => {
			const { backgroundColor, opacity } = getComputedStyle(one);
			return rgb(over(rgb(backgroundColor), paper, Number(opacity)));
		})]));
		box.remove();
		return found;
	};
	look.read = () => {
		const style = getComputedStyle(element), token = name => style.getPropertyValue("--" + name).trim();
		for (const name of ["paper", "raised", "line", "line2", "ink", "ink2", "ink3", "accent", "warn", "bad", "text"]) look[name] = token(name);
		look.dark = rgb(look.paper)[0] < 128;
		look.counters = { share: token("compute"), flop_per_s: token("compute"), bytes: token("memory"), bytes_per_s: token("memory"), count: token("host") };
		const paper = rgb(look.paper), tints = tintsOf(paper), onHue = { compute: token("on-dark"), output: token("on-dark"), collective: token("on-collective"), compile: token("on-compile") };
		const textOn = (hue, tint, colour) => {
			if (tint ? !look.dark : hue === "idle") return look.ink;
			if (tint) return token(luminance(colour) < EVEN ? "on-dark" : "on-light");
			return onHue[hue] || token("on-light");
		};
		const tinted = (hue, tint) => {
			const colour = tints.get(hue)[Math.min(tint, TINTS - 1)];
			return shades(colour, textOn(hue, tint, colour));
		};
		const known = new Map();
		const shadesOf = ({ hue, tint = 0 }) => {
			const key = CLASS_HUES.includes(hue) ? hue + tint : "";
			if (!known.has(key)) known.set(key, key ? tinted(hue, tint) : shades(rgb(look.line2), look.ink));
			return known.get(key);
		};
		look.classes = names.map(shadesOf);
		const wheel = new Map(), onHues = token("on-light");
		const shadesOfName = ({ name }) => {
			const hue = hueOf(name) % NAME_HUES;
			if (!wheel.has(hue)) wheel.set(hue, shades(rgb(`oklch(${look.dark ? 0.7 : 0.62} 0.12 ${hue * 360 / NAME_HUES})`), onHues));
			return wheel.get(hue);
		};
		look.hues = null;
		look.byNames = () => look.hues || (look.hues = names.map(shadesOfName));
		look.unknown = shades(rgb(look.line2), look.ink);
		look.by(look.byName);
	};
	look.by = byName => {
		look.byName = byName;
		look.now = byName ? look.byNames() : look.classes;
	};
	look.shades = name => look.now[name] || look.unknown;
	look.read();
	return look;
};

/* As much of a name as a bar of so many pixels holds; of a kernel its short one. */
const barTexts = names => {
	const whole = names.map(({ name }) => plainText(name.slice(0, CUT_BEFORE))), widths = new Map(), cuts = new Map();
	const shown = names.map(({ shown: short }, i) => short ? plainText(short.slice(0, CUT_BEFORE)) : whole[i]);
	return {
		of: name => whole[name] || "",
		fitting(pen, name, px) {
			const text = shown[name] || "", key = pen.font + name;
			if (!widths.has(key)) widths.set(key, pen.measureText(text).width);
			if (widths.get(key) <= px) return text;
			const cut = key + " " + Math.floor(px);
			if (!cuts.has(cut)) {
				if (cuts.size > 20000) cuts.clear();
				let length = Math.floor(text.length * px / widths.get(key));
				while (length > 0 && pen.measureText(text.slice(0, length) + "…").width > px) length--;
				cuts.set(cut, length > 1 ? text.slice(0, length) + "…" : "");
			}
			return cuts.get(cut);
		},
		/* With how long the event takes, where there is room for that, too. */
		timed(pen, name, length, px) {
			const text = this.fitting(pen, name, px), rest = px - widths.get(pen.font + name);
			if (!(rest > 0 && length > 0)) return text;
			const time = ` · ${told(length, "ps")}`;
			return pen.measureText(time).width <= rest ? text + time : text;
		},
	};
};
