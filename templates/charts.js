/* What charts that answer share: the report that the page holds, tooltips; and lifetimes of buffers on a memory curve. */

/* The tooltip of marks: at once and in the page's own type, instead of the browser's. */
const tooltips = () => {
	const tip = make("div", "tip");
	tip.hidden = true;
	document.body.append(tip);
	const show = event => {
		const mark = event.target.closest && event.target.closest("svg rect, svg circle, svg text");
		const title = mark && mark.querySelector(":scope > title");
		if (title) { mark.dataset.tip = title.textContent; title.remove(); }
		const text = mark && mark.dataset.tip;
		tip.hidden = !text;
		if (!text) return;
		tip.textContent = text;
		const box = mark.getBoundingClientRect();
		const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
		const above = box.top - tip.offsetHeight - 6;
		tip.style.left = left + scrollX + "px";
		tip.style.top = (above > 4 ? above : box.bottom + 6) + scrollY + "px";
	};
	for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, show);
};

/* A drawing that is wider than a phone shows its middle, where its boxes are. */
const drawings = within => {
	for (const figure of all(".chart:has(> .drawing)", within)) figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;
};

const bytesOf = text => {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
	const packed = atob(text), bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
	return bytes;
};

/* The whole report, as the page holds it: JSON in gzip in base64. Rows that do not fit are not there. */
const unpacked = text => {
	return new Response(new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
const reportText = () => unpacked(document.getElementById("report-json").textContent);
let held;
const report = () => held || (held = reportText().then(JSON.parse));
const IDLE_MS = 500;
const whenIdle = window.requestIdleCallback || (call => setTimeout(call, IDLE_MS / 10)); /* not every browser tells */
/* The same for what the page can be read without: what was asked for is drawn first, and the page has nothing else to do. */
let drawnFirst = Promise.resolve();
const reportLater = async () => {
	await drawnFirst;
	await new Promise(call => whenIdle(call, { timeout: IDLE_MS }));
	return report();
};
const blockOf = (whole, id) => {
	const find = blocks => {
		for (const b of blocks || []) {
			const found = b.id === id ? b : find(b.blocks);
			if (found) return found;
		}
	};
	return find(whole.sections);
};

const mark = (name, attributes, text) => {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	if (text) element.textContent = text;
	return element;
};

/* Pointing at a buffer's row, or moving to it by keyboard, shows when it is live on the curve above. */
const lifetimes = (box, element, offset) => {
	const [start, end, kind, ...id] = box.dataset.life.split(" ");
	const figure = document.getElementById(id.join(" "));
	if (!figure) return;
	const [points, height] = figure.dataset.axis.split(" ").map(Number);
	const svg = figure.querySelector(".plot > svg");
	const shown = [];
	const hide = () => shown.splice(0).forEach(e => e.remove());
	const show = row => {
		hide();
		const cell = at => row.cells[Number(at) + offset].textContent;
		const from = sortKey(cell(start)), to = sortKey(cell(end));
		if (!(from >= 0 && to >= from)) return;
		const always = cell(kind) !== "temporary" && from === 0 && to === points - 1;
		const left = always ? 0 : (from + 1) / points;
		const right = always ? 1 : Math.min(to + 1, points) / points;
		const name = row.cells[offset].textContent;
		shown.push(mark("rect", { class: "life", x: left * 100 + "%", width: Math.max(right - left, 0.002) * 100 + "%", height }),
			mark("text", left < 0.5 ? { class: "halo w6", x: left * 100 + "%", dx: 4, y: -4 } :
				{ class: "halo w6 end", x: right * 100 + "%", dx: -4, y: -4 }, name.length > 48 ? name.slice(0, 47) + "…" : name));
		svg.append(...shown);
	};
	const rowOf = event => event.target.closest("tbody tr");
	for (const kind of ["pointerover", "focusin"]) element.addEventListener(kind, event => { const row = rowOf(event); if (row) show(row); });
	for (const kind of ["pointerleave", "focusout"]) element.addEventListener(kind, hide);
	roving(element, "tbody tr", "ArrowUp", "ArrowDown");
};
