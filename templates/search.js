/* The search in the rail. */

/* One search over sections, parts, rows and figures, folded or not; "/" goes to it. */
const search = () => {
	const MOST = 30, ol = document.querySelector(".rail ol");
	const field = make("input", "search"), hits = make("ol", "hits");
	field.type = "search";
	field.placeholder = "Search  /";
	field.setAttribute("aria-label", "Search sections, rows and figures");
	hits.hidden = true;
	ol.before(field, hits);
	const roots = () => [document, ...all("noscript").map(n => {
		const made = make("template");
		made.innerHTML = n.textContent;
		return made.content;
	})];
	const titles = new Map(all(".sec[id]").map(e => [e.id, e.getAttribute("aria-label")]));
	let entries;
	const gather = async () => {
		const found = [], seen = new Set();
		const add = (text, id, kind) => {
			if (!id || seen.has(kind + id)) return;
			seen.add(kind + id);
			if (kind === "part" && !titles.has(id)) titles.set(id, text);
			found.push({ text, low: text.toLowerCase(), id, where: titles.get(id.split("/")[0]) || "", kind });
		};
		for (const root of roots()) {
			for (const e of all("section[id]", root)) add((e.querySelector(":scope > header :is(h2, h3, h4, h5, h6)") || e).firstChild.textContent, e.id, "part");
			for (const e of all("details > summary", root)) {
				const inside = e.nextElementSibling && (e.nextElementSibling.closest("[id]") || e.nextElementSibling.querySelector("[id]"));
				if (inside) add(e.firstChild.textContent, inside.id, "part");
			}
			for (const e of all("tbody tr[id]", root)) add((e.querySelector("th") || e).textContent.trim(), e.id, "row");
		}
		const figures = await report().then(whole => Object.entries(whole.metrics), () => []);
		for (const [name, figure] of figures) add(`${name} = ${textOf(figure, {})}`, `performance/table/${name}`, "figure");
		return found;
	};
	const rank = (entry, words) => {
		if (!words.every(word => entry.low.includes(word) || entry.where.toLowerCase().includes(word))) return -1;
		const at = entry.low.indexOf(words[0]);
		return (at === 0 ? 0 : at > 0 ? 10 : 20) + { part: 0, row: 1, figure: 2 }[entry.kind];
	};
	const go = id => {
		/* On a phone the hits lie above the page. */
		if (getComputedStyle(hits).position === "fixed") { field.value = ""; show(); field.blur(); }
		if (location.hash === "#" + id) unfold();
		else location.hash = id;
	};
	const show = async () => {
		const wanted = field.value.trim().toLowerCase();
		entries = entries || gather();
		const list = await entries;
		if (wanted !== field.value.trim().toLowerCase()) return;
		hits.hidden = wanted === "";
		ol.hidden = wanted !== "";
		const words = wanted.split(/\s+/);
		const best = wanted ? list.map(entry => [rank(entry, words), entry]).filter(([place]) => place >= 0).sort((a, b) => a[0] - b[0]) : [];
		hits.replaceChildren(...best.slice(0, MOST).map(([, { text, id, where }]) => {
			const item = make("li"), link = make("a", undefined, text);
			link.href = "#" + id;
			link.addEventListener("click", event => { event.preventDefault(); go(id); });
			link.append(make("small", undefined, where));
			item.append(link);
			return item;
		}));
		if (wanted) hits.append(make("li", "m", best.length > MOST ? `${(best.length - MOST).toLocaleString("en")} more` : best.length ? "" : "Nothing found"));
	};
	field.addEventListener("input", show);
	field.addEventListener("keydown", event => {
		const first = hits.querySelector("a");
		if (event.key === "Enter" && first) first.click();
		else if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
		else if (event.key === "Escape") { field.value = ""; show(); }
	});
	hits.addEventListener("keydown", event => {
		const links = all("a", hits), at = links.indexOf(event.target) + { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (Number.isNaN(at)) return;
		event.preventDefault();
		(links[at] || (at < 0 ? field : event.target)).focus();
	});
	document.addEventListener("keydown", event => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
		event.preventDefault();
		field.focus();
	});
};
