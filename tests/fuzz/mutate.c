/* Mutations that leave whole what libFuzzer's own break at once: lengths of nested protobuf messages, checksums of records. Linked
 * into libFuzzer's executables only; TP_MUTATE says which is the target's. */
#include "mutate.h"

#include <stdlib.h>

#include "codec/pb_wire.h"
#include "io/crc32c.h"

enum {
	DEEPEST = 12,
	MOST_PIECES = 1 << 12,
	VARINT_BYTES = 10,
	HEADER_BYTES = 12,
	FOOTER_BYTES = 4
};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A field of a message, or a record of a file. */
struct piece {
	size_t start, end;
	size_t inside,
		inside_end; /* of what may itself be mutated: start < inside ≤ inside_end ≤ end */
	enum tp_pb_type type;
};

static size_t
put_varint(uint8_t *at, uint64_t number)
{
	size_t size = 0;

	for (; number >= 0x80; number >>= 7)
		at[size++] = (uint8_t)(number | 0x80);
	at[size++] = (uint8_t)number;
	return size;
}

static size_t
fields_of(const struct tp_mutation *m, struct piece pieces[static MOST_PIECES])
{
	struct tp_slice message = {(const char *)m->data, m->size};
	struct tp_pb p = tp_pb_open(message);
	size_t count = 0;

	for (size_t start = 0; count < MOST_PIECES && tp_pb_next(&p); count++) {
		size_t end = (size_t)(p.at - m->data);

		pieces[count] = (struct piece){start, end, end, end, p.type};
		if (p.type == TP_PB_BYTES)
			pieces[count].inside = end - p.bytes.len;
		start = end;
	}
	return p.state == TP_PB_BROKEN ? 0 : count;
}

/* Once more somewhere, away, or in another's place. */
static void
move_piece(struct tp_mutation *m, const struct piece *pieces, size_t count)
{
	const struct piece *from = &pieces[tp_mutation_any(m, count)],
					   *to = &pieces[tp_mutation_any(m, count)];
	size_t size = from->end - from->start,
		   times = tp_mutation_any(m, 4) != 0 ? 1 : 1 + tp_mutation_any(m, 64);
	uint8_t *copy = malloc(size + (size == 0));

	memcpy(copy, m->data + from->start, size);
	switch (tp_mutation_any(m, 4)) {
	case 0:
		tp_mutation_splice(m, from->start, from->end, NULL, 0);
		break;
	case 1:
		tp_mutation_splice(m, to->start, to->end, copy, size);
		break;
	default:
		while (times-- != 0 && tp_mutation_splice(m, to->start, to->start, copy, size))
			;
		break;
	}
	free(copy);
}

/* Another number in place of a field's, whose key stays. */
static void
change_number(struct tp_mutation *m, const struct piece *p)
{
	static const uint64_t odd[] = {0, 1, 127, 128, 255, 256, 1u << 16, INT32_MAX, UINT32_MAX,
		1ull << 40, 1ull << 53, 1ull << 62, INT64_MAX, 1ull << 63, UINT64_MAX};
	struct tp_slice field = {(const char *)m->data + p->start, p->end - p->start};
	struct tp_pb pb = tp_pb_open(field);
	uint8_t bytes[2 * VARINT_BYTES];

	if (!tp_pb_next(&pb))
		return;
	switch (tp_mutation_any(m, 3)) {
	case 0:
		pb.number = odd[tp_mutation_any(m, sizeof odd / sizeof *odd)];
		break;
	case 1:
		pb.number += tp_mutation_any(m, 5) - 2;
		break;
	default:
		LLVMFuzzerMutate((uint8_t *)&pb.number, sizeof pb.number, sizeof pb.number);
		break;
	}
	size_t size = put_varint(bytes, (uint64_t)pb.field << 3 | pb.type);

	if (p->type == TP_PB_VARINT) {
		size += put_varint(bytes + size, pb.number);
	} else {
		size_t fixed = p->type == TP_PB_FIXED64 ? 8 : 4;

		memcpy(bytes + size, &pb.number, fixed);
		size += fixed;
	}
	tp_mutation_splice(m, p->start, p->end, bytes, size);
}

static void mutate_message(struct tp_mutation *m, unsigned depth);

/* What is inside of a piece, mutated, in a block of its own: the caller frees it. */
static struct tp_mutation
mutate_inside(struct tp_mutation *m, const struct piece *p, unsigned depth)
{
	size_t size = p->inside_end - p->inside, room = m->most - m->size + size;
	struct tp_mutation inside = {
		malloc(room + (room == 0)), size, room, tp_mutation_any(m, UINT32_MAX)};

	memcpy(inside.data, m->data + p->inside, size);
	mutate_message(&inside, depth);
	return inside;
}

static void
change_bytes(struct tp_mutation *m, const struct piece *p, unsigned depth)
{
	struct tp_mutation inside = mutate_inside(m, p, depth + 1);
	struct tp_slice field = {(const char *)m->data + p->start, p->end - p->start};
	struct tp_pb pb = tp_pb_open(field);
	uint8_t head[2 * VARINT_BYTES];

	(void)tp_pb_next(&pb);
	size_t size = put_varint(head, (uint64_t)pb.field << 3 | TP_PB_BYTES);

	size += put_varint(head + size, inside.size);
	if (tp_mutation_splice(m, p->inside, p->inside_end, inside.data, inside.size) &&
		!tp_mutation_splice(m, p->start, p->inside, head, size))
		tp_mutation_splice(m, p->inside, p->inside + inside.size, NULL, 0);
	free(inside.data);
}

static void
mutate_message(struct tp_mutation *m, unsigned depth)
{
	struct piece *pieces = malloc(MOST_PIECES * sizeof *pieces);
	size_t count = fields_of(m, pieces);
	const struct piece *p = count != 0 ? &pieces[tp_mutation_any(m, count)] : NULL;
	uint64_t way = tp_mutation_any(m, 8);

	if (p == NULL || way == 0 || depth == DEEPEST)
		m->size = LLVMFuzzerMutate(m->data, m->size, m->most);
	else if (way <= 2)
		move_piece(m, pieces, count);
	else if (p->type == TP_PB_BYTES)
		change_bytes(m, p, depth);
	else
		change_number(m, p);
	free(pieces);
}

static size_t
records_of(const struct tp_mutation *m, struct piece pieces[static MOST_PIECES])
{
	size_t at = 0, count = 0;

	while (count < MOST_PIECES && m->size - at >= HEADER_BYTES + FOOTER_BYTES) {
		uint64_t size;

		memcpy(&size, m->data + at, sizeof size);
		if (size > m->size - at - HEADER_BYTES - FOOTER_BYTES)
			break;
		size_t inside = at + HEADER_BYTES, end = inside + (size_t)size;

		pieces[count++] = (struct piece){at, end + FOOTER_BYTES, inside, end, TP_PB_BYTES};
		at = end + FOOTER_BYTES;
	}
	return count;
}

static void
change_record(struct tp_mutation *m, const struct piece *p)
{
	struct tp_mutation inside = mutate_inside(m, p, 0);

	if (tp_mutation_splice(m, p->inside, p->inside_end, inside.data, inside.size)) {
		uint8_t *head = m->data + p->start;
		uint64_t size = inside.size;
		uint32_t sum;

		memcpy(head, &size, sizeof size);
		sum = tp_crc32c_masked((struct tp_slice){(const char *)head, sizeof size});
		memcpy(head + sizeof size, &sum, sizeof sum);
		sum = tp_crc32c_masked((struct tp_slice){(const char *)head + HEADER_BYTES, inside.size});
		memcpy(head + HEADER_BYTES + inside.size, &sum, sizeof sum);
	}
	free(inside.data);
}

size_t
tp_mutate_message(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	struct tp_mutation m = {data, size, most, seed};

	mutate_message(&m, 0);
	return m.size;
}

size_t
tp_mutate_tagged(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	if (size < 2 || seed % 32 == 0)
		return LLVMFuzzerMutate(data, size, most);
	if (data[1] == '{' || data[1] == '[')
		return 1 + tp_mutate_json(data + 1, size - 1, most - 1, seed);
	return 1 + tp_mutate_message(data + 1, size - 1, most - 1, seed);
}

size_t
tp_mutate_records(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	struct tp_mutation m = {data, size, most, seed};
	struct piece *pieces = malloc(MOST_PIECES * sizeof *pieces);
	size_t count = records_of(&m, pieces);
	uint64_t way = tp_mutation_any(&m, 8);

	if (count == 0 || way == 0)
		m.size = LLVMFuzzerMutate(data, size, most);
	else if (way <= 3)
		move_piece(&m, pieces, count);
	else
		change_record(&m, &pieces[tp_mutation_any(&m, count)]);
	free(pieces);
	return m.size;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	return TP_MUTATE(data, size, most, seed);
}
