/* All other scripts stand here deflated (RFC 1951) and as base64, for they are the most of a small page. They are unpacked and run before the
   page goes on, as if they stood here themselves; the page's policy names both this script and what it unpacks. */
"use strict";

const runPacked = packed => {
	const text = atob(packed);
	let out = new Uint8Array(4 * text.length), size = 0;
	let at = 0, hold = 0, held = 0; /* bits that are read ahead, and how many */

	const bits = count => {
		for (; held < count; held += 8) hold |= text.charCodeAt(at++) << held;
		const value = hold & (1 << count) - 1;
		hold >>>= count;
		held -= count;
		return value;
	};

	/* By the next bits, as many as the longest code has: the symbol that they begin with, and the length of its code in the lowest four. */
	const treeOf = lengths => {
		const longest = Math.max(...lengths), table = new Uint16Array(1 << longest);
		for (let length = 1, code = 0; length <= longest; length++, code <<= 1) {
			for (let symbol = 0; symbol < lengths.length; symbol++) {
				if (lengths[symbol] !== length) continue;
				let turned = 0;
				for (let i = 0; i < length; i++) turned |= (code >> i & 1) << length - 1 - i;
				for (; turned < table.length; turned += 1 << length) table[turned] = symbol << 4 | length;
				code++;
			}
		}
		return { longest, table };
	};
	const symbolOf = ({ longest, table }) => {
		for (; held < longest; held += 8) hold |= (text.charCodeAt(at++) || 0) << held;
		const found = table[hold & table.length - 1], length = found & 15;
		if (length === 0) throw new Error("the scripts of this page are damaged");
		hold >>>= length;
		held -= length;
		return found >> 4;
	};

	const fixed = () => [
		treeOf([...Array(288).keys()].map(i => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)), treeOf(Array(30).fill(5))];
	const dynamic = () => {
		const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
		const literals = bits(5) + 257, distances = bits(5) + 1, own = Array(19).fill(0), lengths = [];
		for (let i = 0, count = bits(4) + 4; i < count; i++) own[order[i]] = bits(3);
		const tree = treeOf(own);
		while (lengths.length < literals + distances) {
			const symbol = symbolOf(tree);
			const [length, times] = symbol < 16 ? [symbol, 1] : symbol === 16 ? [lengths.at(-1), bits(2) + 3]
				: symbol === 17 ? [0, bits(3) + 3] : [0, bits(7) + 11];
			for (let i = 0; i < times; i++) lengths.push(length);
		}
		return [treeOf(lengths.slice(0, literals)), treeOf(lengths.slice(literals))];
	};

	/* Where the range of each symbol begins, and how many bits say where in it. */
	const rangesOf = (count, start, extra) => {
		const starts = [], extras = [];
		for (let i = 0; i < count; i++) {
			starts.push(start);
			extras.push(extra(i));
			start += 1 << extras[i];
		}
		return { starts, extras };
	};
	const lengths = rangesOf(28, 3, i => i < 8 ? 0 : (i >> 2) - 1), distances = rangesOf(30, 1, i => i < 4 ? 0 : (i >> 1) - 1);
	lengths.starts.push(258);
	lengths.extras.push(0);

	const makeRoom = count => {
		if (size + count <= out.length) return;
		const more = new Uint8Array(2 * (size + count));
		more.set(out);
		out = more;
	};
	const stored = () => {
		bits(held & 7);
		const count = bits(16);
		bits(16);
		makeRoom(count);
		for (let i = 0; i < count; i++) out[size++] = bits(8);
	};
	const coded = ([literal, distance]) => {
		for (let symbol; (symbol = symbolOf(literal)) !== 256;) {
			makeRoom(258);
			if (symbol < 256) {
				out[size++] = symbol;
				continue;
			}
			const count = lengths.starts[symbol - 257] + bits(lengths.extras[symbol - 257]), near = symbolOf(distance);
			const back = distances.starts[near] + bits(distances.extras[near]);
			for (let i = 0; i < count; i++, size++) out[size] = out[size - back];
		}
	};
	for (let last = 0; !last;) {
		last = bits(1);
		const kind = bits(2);
		if (kind === 0) stored();
		else coded(kind === 1 ? fixed() : dynamic());
	}
	const script = document.createElement("script");
	script.textContent = new TextDecoder().decode(out.subarray(0, size));
	document.body.append(script);
	script.remove(); /* a page that is saved from the browser runs it once, too */
};
