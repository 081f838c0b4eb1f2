/* Memory of a PyTorch job over a range of steps. */

const sum = (list, key) => list.reduce((total, cells) => total + cells[key].value, 0);

/* A table that may be wider than a phone: what cannot be reached by its cells is scrolled by itself. */
const scrolled = (list, className) => {
	const box = make("div", className);
	box.tabIndex = 0;
	box.setAttribute("role", "region");
	box.setAttribute("aria-label", list.caption.textContent);
	box.append(list);
	return box;
};

/* A table of the operators of some steps, the largest first. */
const addedUp = (caption, columns, rows, like, nameClass) => {
	const list = make("table", like.className), head = list.createTHead().insertRow(), body = list.createTBody(), by = new Map();
	for (const cells of rows) {
		if (!by.has(cells.operator.value)) by.set(cells.operator.value, []);
		by.get(cells.operator.value).push(cells);
	}
	list.prepend(make("caption", undefined, caption));
	columns.forEach((column, i) => {
		const th = make("th", i ? "r" : "x", column.title);
		th.scope = "col";
		head.append(th);
	});
	for (const [operator, of] of [...by].sort((a, b) => sum(b[1], "self_allocated_bytes") - sum(a[1], "self_allocated_bytes"))) {
		body.insertRow().append(...columns.map((column, i) => i ? make("td", "r", told(sum(of, column.key), column.unit)) : make("td", nameClass, operator)));
	}
	return scrolled(list, "scroll sum");
};

/* Memory of a range of steps that the reader chooses: each step's operators added up, where the page holds all of them. */
const memory = async within => {
	const boxes = all("[id^='torch-memory/of/'][id$='/step-operators/table']", within);
	const whole = boxes.length && await reportLater();
	for (const box of boxes) {
		const parts = blockOf(whole, box.id), each = blockOf(whole, box.id.replace("/step-operators/", "/steps/"));
		if (!parts || !each || parts.left_out || each.left_out) continue;
		const steps = each.rows.map(row => row.cells);
		const rows = steps.map(step => parts.rows.map(row => row.cells).filter(cells => cells.step.value === step.step.value));
		if (steps.length < 2 || steps.some((step, i) => step.allocated_bytes.value !== sum(rows[i], "self_allocated_bytes"))) continue;
		const from = make("select"), to = make("select"), label = make("label", "", "Sum from "), other = make("span", undefined, " to ");
		from.append(new Option("none", ""));
		for (const { step } of steps) for (const choice of [from, to]) choice.append(new Option("step " + step.value, step.value));
		to.selectedIndex = steps.length - 1;
		to.setAttribute("aria-label", "last step of the sum");
		other.append(to);
		label.append(from);
		const line = make("div", "choice");
		line.append(label, other);
		const columns = parts.columns.filter(column => column.key !== "step");
		const like = box.querySelector("table"), nameClass = (box.querySelector("tbody td, tbody th") || {}).className || "x";
		const show = () => {
			const old = line.nextElementSibling, first = Math.min(from.selectedIndex - 1, to.selectedIndex);
			const last = Math.max(from.selectedIndex - 1, to.selectedIndex);
			if (old && old.classList.contains("sum")) old.remove();
			if (!from.value) return;
			const chosen = steps.slice(first, last + 1), [start, end] = [chosen[0], chosen[chosen.length - 1]];
			const peak = chosen.some(step => step.peak_bytes.value === null) ? "" :
				`: peak ${sized(Math.max(...chosen.map(step => step.peak_bytes.value)))}, grew by ${sized(end.end_bytes.value - start.start_bytes.value)}`;
			const caption = `Steps ${start.step.value} to ${end.step.value}${peak}, ${sized(sum(chosen, "allocated_bytes"))} allocated`;
			line.after(addedUp(caption, columns, rows.slice(first, last + 1).flat(), like, nameClass));
		};
		from.addEventListener("change", show);
		to.addEventListener("change", show);
		box.before(line);
	}
};
