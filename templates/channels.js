/* A distributed run's channels: one is chosen by its row, its bar or from a list; it is drawn on the map of cores and told of the step that
   the page shows. */

const theChannel = { key: "" }; /* as in the ids of rows: "1/12-13"; "": none */

/* "Channel 1, core 12 → core 13 (send → recv-done): 8.00 MiB, latency 320 µs, 24.39 GiB/s; mean over steps" */
const channelWords = (link, now, when) => {
	const us = (key, name) => now[key].value === null ? [] : [`${name} ${told(now[key].value, "us")}`];
	const rate = now.gib_per_s.value === null ? [] : [told(now.gib_per_s.value, "gib_per_s")];
	const figures = [told(link.data_mib.value, "mib"), ...us("latency_us", "latency"), ...rate, ...us("send_delay_us", "send delay"), ...us("receive_us", "receive")];
	return `Channel ${link.channel.value}, ${link.source.value} → ${link.target.value} (${link.send.value} → ${link.recv.value}): ${figures.join(", ")}; ${when}`;
};

const channels = async within => {
	const figure = within.querySelector("[id='distributed/link-map']");
	const box = document.getElementById("distributed/links"), bars = document.getElementById("distributed/latency");
	if (!figure || !box) return;
	const whole = await reportLater(), table = blockOf(whole, box.id), byStep = rowsByStep(whole, "distributed/links-step", 0);
	const links = new Map(table.rows.map(({ id, cells }) => [id.slice(box.id.length + 1), cells])), keys = [...links.keys()];
	const cells = new Map(cellsOf(figure, blockOf(whole, figure.id)).map(cell => [cell.label, cell.box]));
	const svg = figure.querySelector(".plot > svg"), drawn = [];
	const label = make("label", "choice", "Channel "), select = make("select"), words = make("p", "small now");
	select.append(new Option("none", ""), ...keys.map(key => new Option(`${links.get(key).source.value} → ${links.get(key).target.value} (${links.get(key).channel.value})`, key)));
	label.append(select);
	figure.before(label, words);
	const draw = names => {
		drawn.splice(0).forEach(e => e.remove());
		const ends = names && names.map(name => cells.get(name));
		if (!ends || !ends[0] || !ends[1]) return;
		const [a, b] = ends.map(e => {
			const r = e.getBBox();
			return [r.x + r.width / 2, r.y + r.height / 2];
		});
		drawn.push(mark("line", { class: "link", x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
			mark("circle", { class: "link", r: 5, cx: b[0], cy: b[1] }));
		svg.append(...drawn);
	};
	const endsOf = row => {
		const link = links.get(row.id.slice(box.id.length + 1));
		return link && [link.source.value, link.target.value];
	};
	const drawChosen = () => draw(links.has(theChannel.key) && [links.get(theChannel.key).source.value, links.get(theChannel.key).target.value]);

	const tell = () => {
		const link = links.get(theChannel.key), now = link && theStep.name && byStep.has(theStep.name) ? byStep.get(theStep.name).get(theChannel.key) : null;
		words.textContent = link ? channelWords(link, now || link, now ? `step ${theStep.name}` : "mean over steps") : "";
	};
	const showBar = () => {
		if (!bars) return;
		all(".plot > svg > .chosen", bars).forEach(e => e.remove());
		const row = rowsOfBars(bars)[keys.indexOf(theChannel.key)];
		if (row) bars.querySelector(".plot > svg").append(mark("rect", { class: "chosen", width: "100%", y: row.y, height: row.height }));
	};
	const choose = key => {
		theChannel.key = key === theChannel.key ? "" : key;
		select.value = theChannel.key;
		for (const row of all("tbody tr", box)) {
			if (theChannel.key && row.id === `${box.id}/${theChannel.key}`) row.setAttribute("aria-current", "true");
			else row.removeAttribute("aria-current");
		}
		drawChosen();
		tell();
		showBar();
	};

	select.addEventListener("change", () => choose(select.value));
	const rowOf = event => event.target.closest("tbody tr"), keyOf = row => row && row.id ? row.id.slice(box.id.length + 1) : "";
	for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, event => { if (rowOf(event)) draw(endsOf(rowOf(event))); });
	for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, drawChosen);
	box.addEventListener("click", event => { if (keyOf(rowOf(event)) && !event.target.closest("a, button, .long") && !String(getSelection())) choose(keyOf(rowOf(event))); });
	box.addEventListener("keydown", event => { if (event.key === "Enter" && event.target.matches("tbody tr") && keyOf(event.target)) choose(keyOf(event.target)); });
	if (bars) bars.querySelector(".plot").classList.add("press");
	if (bars) bars.addEventListener("click", event => {
		const y = event.clientY - bars.querySelector(".plot > svg").getBoundingClientRect().top, at = rowsOfBars(bars).findIndex(row => y >= row.y && y < row.y + row.height);
		if (keys[at]) choose(keys[at]);
	});
	roving(box, "tbody tr", "ArrowUp", "ArrowDown");
	/* Where cells are drawn changes with the width. */
	new ResizeObserver(drawChosen).observe(svg);
	theStep.follow(tell);
};
