/* Flame graphs: a click on a frame, or Enter where the arrow keys lead, makes it as wide as the chart; what it is a part of leads back. */

/* As much of a text as fits, as the pen writes it. */
const pen = document.createElement("canvas").getContext("2d");
const fitting = (text, px, by = pen) => {
	const wide = of => by.measureText(of).width <= px;
	if (wide(text)) return text;
	let length = Math.floor(text.length * px / by.measureText(text).width);
	while (length > 2 && !wide(text.slice(0, length) + "…")) length--;
	return length > 2 ? text.slice(0, length) + "…" : "";
};

/* Of each frame the one that it is a part of; parts come after it. */
const parentsOf = frames => {
	const last = [];
	return frames.map(({ row }, i) => {
		last[row] = i;
		return row > 0 ? last[row - 1] : -1;
	});
};

const FLAME_PAD_PX = 5, FLAME_LETTERS = 4; /* of a label that was cut */

const flame = (figure, frames) => {
	const svg = figure.querySelector(".plot > svg"), drawn = all(":scope > g > rect:not(.f-paper)", svg), parents = parentsOf(frames);
	if (drawn.length !== frames.length) return;
	const tips = drawn.map(said), place = box => ({ y: Number(box.getAttribute("y") || 0), height: Number(box.getAttribute("height")) });
	const over = mark("svg", { class: "picks", height: svg.getAttribute("height"), role: "listbox", "aria-label": "Frames" });
	const options = frames.map((frame, i) => {
		const option = mark("rect", { role: "option", "aria-label": tips[i], ...place(drawn[i]) });
		option.dataset.tip = tips[i];
		return option;
	});
	const path = make("figcaption", "path");
	let wide = -1; /* the frame that is as wide as the chart; -1: frames are as drawn, and their labels as long as there is room */

	const button = (text, to) => {
		const made = make("button", undefined, text);
		made.type = "button";
		made.addEventListener("click", () => { zoom(to); options[Math.max(0, to)].focus(); });
		return made;
	};
	const tellPath = () => {
		const above = [];
		for (let i = wide < 0 ? -1 : parents[wide]; i >= 0; i = parents[i]) above.unshift(i);
		path.replaceChildren(...wide < 0 ? [] : [button("All", -1), ...above.flatMap(i => [" › ", button(frames[i].label, i)]), " › ", make("b", undefined, frames[wide].label)]);
	};
	const draw = () => {
		const { from, to } = wide < 0 ? { from: 0, to: 1 } : frames[wide], scale = x => Math.min(1, Math.max(0, (x - from) / (to - from)));
		const group = mark("g", { class: "now" }), px = svg.clientWidth || svg.getBoundingClientRect().width;
		all(":scope > .now", svg).forEach(e => e.remove());
		figure.classList.toggle("redrawn", wide >= 0);
		figure.classList.add("flame");
		pen.font = "11px " + getComputedStyle(figure).fontFamily;
		frames.forEach((frame, i) => {
			const left = scale(frame.from), width = scale(frame.to) - left, shape = { x: left * 100 + "%", width: width * 100 + "%" };
			for (const [key, value] of Object.entries(shape)) options[i].setAttribute(key, value);
			options[i].setAttribute("aria-selected", i === wide);
			/* What is narrower than a line cannot be pointed at. */
			options[i].toggleAttribute("hidden", width * px < 1);
			if (!(width > 0)) return;
			const { y, height } = place(drawn[i]), look = drawn[i].getAttribute("class");
			if (wide >= 0) {
				const rect = mark("rect", { class: look, ...shape, y, height });
				rect.dataset.tip = tips[i];
				group.append(rect, mark("rect", { class: "f-paper", x: shape.x, width: left > 0 ? 1 : 0, y, height }));
			}
			const text = fitting(frame.label, width * px - 2 * FLAME_PAD_PX);
			if (!text || text !== frame.label && text.length <= FLAME_LETTERS) return;
			const label = mark("text", { class: /\bt\d/.test(look) ? "f-ink" : look.replace(/^c-(\w+).*/, "on-$1"), x: shape.x, dx: FLAME_PAD_PX, y: y + height / 2, "dominant-baseline": "central" }, text);
			label.dataset.tip = tips[i];
			group.append(label);
		});
		svg.append(group);
	};
	const zoom = to => {
		wide = to;
		draw();
		tellPath();
		describe(figure, wide < 0 ? "" : `${frames[wide].label}: ${frames[wide].note || ""}`);
	};

	over.append(...options);
	figure.querySelector(".plot").classList.add("picked");
	figure.querySelector(".plot").append(over);
	figure.append(path);
	draw();
	roving(over, "[role=option]", "ArrowLeft", "ArrowRight");
	svg.parentElement.addEventListener("click", event => {
		const at = options.findIndex(option => {
			const box = option.getBoundingClientRect();
			return !option.hasAttribute("hidden") && event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom + 1;
		});
		if (at >= 0) zoom(at);
	});
	over.addEventListener("keydown", event => {
		const at = options.indexOf(event.target), to = { ArrowUp: parents[at], ArrowDown: parents.indexOf(at) }[event.key];
		if (event.key === "Enter" || event.key === " ") zoom(at);
		else if (event.key === "Escape" && wide >= 0) zoom(-1);
		else if (to >= 0 && !options[to].hasAttribute("hidden")) options[to].focus();
		else if (to === undefined) return;
		event.preventDefault();
	});
	/* How much of a name fits changes with the width. */
	new ResizeObserver(draw).observe(svg);
};

const flames = async within => {
	for (const figure of all("figure[id$='/flame']", within)) {
		const block = blockOf(await reportLater(), figure.id);
		if (block) flame(figure, block.frames);
	}
};
