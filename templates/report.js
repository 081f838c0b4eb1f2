/* The page: the rail, what is folded and is made when it is wanted, views, links, print, saving. It starts all of it. */

/* The rail marks the section that is being read. */
const rail = () => {
	const links = all(".rail a");
	let queued = false;
	const mark = () => {
		queued = false;
		let current = 0;
		links.forEach((a, i) => { const t = document.getElementById(a.getAttribute("href").slice(1)); if (t && t.getClientRects().length && t.getBoundingClientRect().top < 120) current = i; });
		links.forEach((a, i) => i === current ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current"));
	};
	addEventListener("scroll", () => { if (!queued) { queued = true; requestAnimationFrame(mark); } }, { passive: true });
};

/* What stands folded in a large page is one text in a <noscript>, and becomes elements when it is wanted. */
const enhance = within => {
	all(".tb", within).forEach(table);
	longLists(within);
	anchors(within);
	if (typeof timelines === "function") timelines(within);
	steps(within);
	memory(within);
	memoryRange(within);
	channels(within);
	flames(within);
	drawings(within);
	tops(within);
};
const fill = later => {
	if (bringers.has(later)) return bringers.get(later)();
	const made = make("template"), room = make("div");
	made.innerHTML = later.textContent;
	room.append(made.content);
	later.replaceWith(room);
	enhance(room);
};
const fillWithin = element => all("noscript", element).forEach(fill);
const folds = () => {
	document.addEventListener("toggle", event => { if (event.target.open) fillWithin(event.target); }, true);
	/* What was opened before, by the reader or by the browser for an address within. */
	all("details[open] > div > noscript").filter(n => !n.closest("details:not([open]), .view")).forEach(fill);
};

/* The browser's own search finds what is made and not hidden, and opens the <details> that it is in. So all is made, and all rows are
   shown, before the reader searches. */
const searchable = () => {
	document.addEventListener("keydown", event => {
		if (event.key !== "F3" && !(event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey))) return;
		fillWithin(document.body);
		layAll();
		all("input.more").forEach(box => { box.checked = true; });
	});
	/* A phone's search is in a menu that the page does not notice: there all but further rows is made while nothing else is to do. */
	const idle = window.requestIdleCallback || (work => setTimeout(work, 50));
	const next = () => {
		const later = document.querySelector("main noscript:not(.later > noscript)");
		if (!later) return;
		fill(later);
		idle(next);
	};
	if (matchMedia("(pointer: coarse)").matches) idle(next);
};

/* The element that an address names, also one that is yet to be made. */
const targetOf = hash => {
	const names = [hash.slice(1)];
	try { names.push(decodeURIComponent(names[0])); } catch { /* a "%" that is none of an address */ }
	/* What an element shows stands after its name. */
	if (names[0].indexOf("?") > 0) names.push(names[0].split("?")[0]);
	const find = () => names.map(name => document.getElementById(name)).find(e => e);
	if (!find() && names[0]) {
		const wanted = names.map(name => `id="${name.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
		const later = all("noscript").find(n => wanted.some(w => n.textContent.includes(w)));
		if (later) fill(later);
		if (!find()) layAll();
	}
	return find();
};

/* The rail leads to sections of the view that is shown; what it has not is of the whole run. */
const stay = view => {
	const part = id => document.getElementById(`${view.id}/${id}`) || view.querySelector(`[id^="${CSS.escape(view.id + "/" + id)}/"]`);
	for (const a of all(".rail ol:not(.hits) a")) {
		const id = a.dataset.section || (a.dataset.section = a.getAttribute("href").slice(1));
		const own = view && (id === "summary" ? view : part(id));
		a.href = "#" + (own ? own.id : id);
		a.classList.toggle("out", !!view && !own);
	}
};

/* The views by worker and by span, where they are too many for a line: both are chosen from lists. */
const lists = () => {
	const box = document.querySelector("details.choose");
	if (!box) return;
	const KINDS = ["run", "host", "worker", "span"];
	const whole = box.querySelector("a").textContent.replace(/^run /, "");
	const views = all("a", box).slice(1).map(a => {
		const of = Object.fromEntries(a.getAttribute("href").slice("#views/".length).split(",").map(part => part.split("=")));
		return { of, a };
	});
	const line = make("div", "choice views"), selects = {};
	const valueOf = (view, kind) => view.of[kind] || "";
	for (const kind of KINDS) {
		const values = [...new Set(views.map(view => valueOf(view, kind)))].filter(value => value);
		if (!values.length) continue;
		const label = make("label", undefined, kind[0].toUpperCase() + kind.slice(1) + " "), select = selects[kind] = make("select");
		/* Of several runs the page shows one. */
		select.append(new Option(kind === "run" ? whole : "all", ""), ...values.map(value => new Option(decodeURIComponent(value), value)));
		label.append(select);
		line.append(label, " ");
		select.addEventListener("change", () => {
			const wanted = view => Object.keys(selects).every(k => valueOf(view, k) === selects[k].value);
			/* Not each worker has each span: what was chosen last counts. */
			if (!views.some(wanted)) for (const other of Object.keys(selects)) if (other !== kind) selects[other].value = "";
			const found = views.find(wanted);
			location.hash = found ? found.a.getAttribute("href") : "#summary";
		});
	}
	box.after(line);
	box.hidden = true;
	const mark = () => {
		const current = views.find(view => view.a.hasAttribute("aria-current"));
		for (const kind of Object.keys(selects)) selects[kind].value = current ? valueOf(current, kind) : "";
	};
	addEventListener("hashchange", mark);
	mark();
};

/* Which of the views is shown; the style sheet shows it by itself. */
const chosen = () => {
	const mark = () => {
		const target = targetOf(location.hash);
		const view = target && target.closest(".view");
		if (view) fillWithin(view);
		stay(view);
		for (const a of all(".choose a")) {
			if (a.getAttribute("href") === "#" + (view ? view.id : "summary")) a.setAttribute("aria-current", "true");
			else a.removeAttribute("aria-current");
		}
	};
	addEventListener("hashchange", mark);
	mark();
};

/* The card of an operation opens below the row whose name leads to it: a copy, with ids of its own. */
const cards = () => document.addEventListener("click", event => {
	const link = event.target.closest("tbody a[href*='operations/card/']");
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
	const row = link.closest("tr"), below = row.nextElementSibling;
	event.preventDefault();
	if (below && below.classList.contains("card")) {
		below.remove();
		link.setAttribute("aria-expanded", "false");
		return;
	}
	fillWithin(targetOf(link.hash));
	const card = targetOf(link.hash).cloneNode(true);
	all(".copies, .find, .sort, .anchor", card).forEach(e => e.remove());
	for (const e of [card, ...all("[id]", card)]) e.id = `below/${row.id}/${e.id}`;
	for (const label of all("label[for]", card)) label.htmlFor = `below/${row.id}/${label.htmlFor}`;
	const cell = make("td"), under = make("tr", "card");
	cell.colSpan = row.cells.length;
	cell.append(card);
	if (typeof timelineLink === "function") cell.append(timelineLink(link.textContent.trim()));
	under.append(cell);
	row.after(under);
	link.setAttribute("aria-expanded", "true");
	enhance(card);
});

/* Each heading can be linked to: the link is copied. */
const anchors = within => {
	for (const section of all("section[id], article[id]", within)) {
		const heading = section.querySelector(":scope > header :is(h2, h3, h4)");
		if (!heading || heading.querySelector(".anchor")) continue;
		const link = make("a", "anchor", "#");
		link.href = "#" + section.id;
		link.setAttribute("aria-label", "Link to " + heading.textContent.trim());
		link.addEventListener("click", () => { if (navigator.clipboard) navigator.clipboard.writeText(link.href).catch(() => {}); });
		heading.append(link);
	}
};

/* What an address led to stays in its place while parts of the page grow, until the reader scrolls. */
let landed = null;
const land = target => {
	target.scrollIntoView();
	landed = { target, top: target.getBoundingClientRect().top, height: document.body.offsetHeight };
};
const landing = () => {
	addEventListener("scroll", () => {
		if (landed && document.body.offsetHeight === landed.height && Math.abs(landed.target.getBoundingClientRect().top - landed.top) > 2) landed = null;
	}, { passive: true });
	new ResizeObserver(() => { if (landed && document.body.offsetHeight !== landed.height) land(landed.target); }).observe(document.body);
};

/* A link into something folded unfolds it. */
const unfold = () => {
	const target = targetOf(location.hash);
	if (!target) return;
	for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
	if (target.classList.contains("shut")) {
		const heading = row => row.querySelector("th"), depthOf = row => Number((heading(row).className.match(/\bin(\d+)/) || [0, 0])[1]);
		let depth = depthOf(target);
		for (let row = target.previousElementSibling; row && depth > 0; row = row.previousElementSibling) {
			if (depthOf(row) >= depth) continue;
			depth = depthOf(row);
			const twist = heading(row).querySelector("button.tw[aria-expanded=false]");
			if (twist) twist.click();
		}
	}
	const folded = target.closest(".rest");
	if (folded) folded.closest(".tb").querySelector("input.more").checked = true;
	land(target);
};

/* How figures are made stands at the end of what is printed, by section, as in the PDF; then each is put back where it was. */
const appendix = () => {
	const abouts = all("main > .sec > details.about").filter(d => d.checkVisibility());
	const end = make("section", "sec appendix"), header = make("header");
	header.append(make("h2", undefined, "About these figures"));
	end.append(header);
	const places = abouts.map(about => {
		const section = about.parentNode, place = document.createComment("");
		about.replaceWith(place);
		end.append(make("p", "about of", section.getAttribute("aria-label")), about);
		return () => place.replaceWith(about);
	});
	if (places.length) all("main > .sec").at(-1).after(end);
	return () => {
		places.forEach(back => back());
		end.remove();
	};
};

/* On paper nothing can be unfolded: what a PDF prints is open there. What the reader opened is printed, too. */
const paper = () => {
	let opened = [], back = () => {};
	addEventListener("beforeprint", () => {
		layAll();
		/* Of those that share a name one is open at a time. */
		const free = () => all("details[name]").forEach(d => { d.dataset.group = d.name; d.removeAttribute("name"); });
		free();
		/* Those within others come to be seen when these are open. */
		for (let next; (next = all("details:not([open])").filter(d => d.firstElementChild.checkVisibility() && !d.closest(".off-paper:not([open])"))).length;) {
			next.forEach(d => { fillWithin(d); d.open = true; });
			opened = opened.concat(next);
			free();
		}
		back();
		back = appendix();
	});
	addEventListener("afterprint", () => {
		back();
		back = () => {};
		opened.forEach(d => { d.open = false; });
		opened = [];
		all("details[data-group]").forEach(d => { d.name = d.dataset.group; });
	});
};

const tools = () => {
	const box = document.querySelector(".tools");
	const button = box.querySelector("[data-save]");
	box.hidden = false;
	button.addEventListener("click", async () => {
		save(await reportText(), "application/json", button.dataset.name);
	});
	box.querySelector("[data-print]").addEventListener("click", () => print());
};

/* A text that is one line shows all of itself where it is pointed at, and on a click. */
document.documentElement.classList.add("js");
document.addEventListener("pointerover", event => {
	const text = event.target.closest(".long");
	if (!text || text.title && text.title !== text.textContent) return;
	if (text.scrollHeight > text.clientHeight + 1) text.title = text.textContent;
	else text.removeAttribute("title");
});
document.addEventListener("click", event => {
	const text = event.target.closest(".long");
	if (text && !String(getSelection())) text.classList.toggle("all");
});

enhance(document);
stepLine();
tooltips();
folds();
searchable();
search();
rail();
chosen();
lists();
cards();
tools();
paper();
landing();
addEventListener("hashchange", unfold);
if (location.hash) {
	unfold();
	/* What has been made only now is not yet what the browser takes for the target: it is told again. */
	if (targetOf(location.hash) && !document.querySelector(":target")) location.replace(location.hash);
}
