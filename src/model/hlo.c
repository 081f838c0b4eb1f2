/* Unpacking an HLO module in two rounds: the first counts and keeps the place of each instruction, the second reads them.
 * Field numbers are those of hlo.proto and xla_data.proto. */
#include "model/hlo.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "codec/pb_field.h"
#include "model/hlo_details.h"

enum { FILES = 1, LOCATIONS = 3, FRAMES = 4 };

/* Where in the source instructions are from, as newer modules say it: numbers of frames in an index that the whole module shares.
 * They count from 1; 0 is none. */
struct frames {
	struct tp_slice *files;
	struct location {
		uint64_t file;
		int32_t line;
	} * locations;
	uint64_t *frames; /* number of a location */
	uint32_t file_count, location_count, frame_count;
};

/* Reads a serialized xla.StackFrameIndexProto; what is damaged in it is left out. */
static void
read_frames(struct tp_slice message, struct tp_arena *arena, struct frames *out)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t files = 0, locations = 0, frames = 0;

	while (tp_pb_next(&p)) {
		files += p.field == FILES && p.type == TP_PB_BYTES;
		locations += p.field == LOCATIONS && p.type == TP_PB_BYTES;
		frames += p.field == FRAMES && p.type == TP_PB_BYTES;
	}
	*out = (struct frames){
		.files = tp_new_array(arena, struct tp_slice, files),
		.locations = tp_new_array(arena, struct location, locations),
		.frames = tp_new_array(arena, uint64_t, frames),
	};
	for (p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == FILES)
			out->files[out->file_count++] = tp_utf8_clean(arena, p.bytes);
		else if (p.field == LOCATIONS)
			out->locations[out->location_count++] = (struct location){
				(uint64_t)tp_pb_number(p.bytes, 1), (int32_t)tp_pb_number(p.bytes, 3)};
		else if (p.field == FRAMES)
			out->frames[out->frame_count++] = (uint64_t)tp_pb_number(p.bytes, 1);
	}
}

/* The innermost source line of a frame; false when the index does not hold it. */
static bool
frame_source(const struct frames *f, uint64_t frame, struct tp_slice *file, int32_t *line)
{
	if (frame == 0 || frame > f->frame_count)
		return false;
	uint64_t location = f->frames[frame - 1];

	if (location == 0 || location > f->location_count)
		return false;
	const struct location *at = &f->locations[location - 1];

	if (at->file == 0 || at->file > f->file_count)
		return false;
	*file = f->files[at->file - 1];
	*line = at->line;
	return true;
}

/* The largest programs have some hundred thousand. */
enum { MOST_INSTRUCTIONS = 4000000, MOST_COMPUTATIONS = 1000000 };

struct reading {
	struct tp_hlo_module *m;
	struct tp_arena *arena;
	struct tp_map computation_of_id;
	struct tp_map instruction_of_id; /* (computation, id): ids need not be unique beyond it */
	uint32_t computation;            /* being read */
	struct frames frames;
	struct tp_err *err;
};

static bool
is(const struct tp_pb *p, uint32_t field, enum tp_pb_type type)
{
	return p->field == field && p->type == type;
}

static enum tp_status
damaged(struct reading *r, const char *what)
{
	return tp_fail(r->err, TP_ERR_FORMAT, "%s is damaged", what);
}

static void
read_metadata(struct reading *r, struct tp_slice message, struct tp_hlo_instruction *i)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t frame = 0;

	while (tp_pb_next(&p)) {
		if (is(&p, 2, TP_PB_BYTES))
			i->framework = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 3, TP_PB_BYTES))
			i->source_file = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 4, TP_PB_VARINT))
			i->source_line = (int32_t)p.number;
		else if (is(&p, 15, TP_PB_VARINT))
			frame = p.number;
	}
	if (i->source_file.len == 0)
		frame_source(&r->frames, frame, &i->source_file, &i->source_line);
}

/* Adds what a list of ids names to `list`, which has room. */
static enum tp_status
resolve(
	struct reading *r, const struct tp_pb *field, bool operands, uint32_t *list, uint32_t *count)
{
	struct tp_pb_list ids = tp_pb_list_of(field);
	uint64_t id;

	while (tp_pb_list_next(&ids, &id)) {
		uint32_t at = operands ? tp_map_get(&r->instruction_of_id, tp_hash_pair(id, r->computation))
							   : tp_map_get(&r->computation_of_id, id);

		/* What comes later is not in the map yet, so there are no circles. */
		if (at == TP_MAP_NONE)
			return tp_fail(r->err, TP_ERR_FORMAT, "%s %lld does not stand before its use",
				operands ? "operand" : "called computation", (long long)id);
		list[(*count)++] = at;
	}
	return ids.packed.state == TP_PB_MORE ? TP_OK : damaged(r, "a list of ids");
}

/* How many ids there are at most. */
static uint32_t
ids_in(const struct tp_pb *field)
{
	uint32_t count = 0;

	if (field->type == TP_PB_VARINT)
		return 1;
	for (size_t i = 0; field->type == TP_PB_BYTES && i < field->bytes.len; i++)
		count += (field->bytes.ptr[i] & 0x80) == 0;
	return count;
}

static enum tp_status
read_links(struct reading *r, struct tp_slice message, uint32_t operands, uint32_t called,
	struct tp_hlo_instruction *i)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t *operand = tp_new_array(r->arena, uint32_t, operands);
	uint32_t *callee = tp_new_array(r->arena, uint32_t, called);
	enum tp_status status = TP_OK;

	while (status == TP_OK && tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES && p.type != TP_PB_VARINT)
			continue;
		if (p.field == 36)
			status = resolve(r, &p, true, operand, &i->operands.count);
		else if (p.field == 38)
			status = resolve(r, &p, false, callee, &i->called.count);
	}
	i->operands.at = operand;
	i->called.at = callee;
	return status;
}

static enum tp_status
read_instruction(struct reading *r, struct tp_slice message, struct tp_hlo_instruction *i)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t operands = 0, called = 0;
	enum tp_status status = TP_OK;
	bool details = false;

	i->computation = r->computation;
	i->message = message;
	while (status == TP_OK && tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_BYTES))
			i->name = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 2, TP_PB_BYTES))
			i->opcode = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 3, TP_PB_BYTES))
			status = tp_shape_read(p.bytes, r->arena, &i->shape, r->err);
		else if (is(&p, 7, TP_PB_BYTES))
			read_metadata(r, p.bytes, i);
		else if (is(&p, 35, TP_PB_VARINT))
			i->id = (int64_t)p.number;
		else if (p.field == 36)
			operands += ids_in(&p);
		else if (p.field == 38)
			called += ids_in(&p);
		else
			details |= tp_hlo_is_detail(p.field);
	}
	if (status != TP_OK)
		return status;
	if (p.state != TP_PB_END || i->opcode.len == 0)
		return damaged(r, "an instruction");
	status = operands + called != 0 ? read_links(r, message, operands, called, i) : TP_OK;
	i->details = &tp_hlo_no_details;
	return status == TP_OK && details ? tp_hlo_read_details(message, r->m, i, r->arena, r->err)
									  : status;
}

enum { LONGEST_IN_MESSAGE = 60 };

static enum tp_status
read_instructions(struct reading *r, struct tp_slice message, struct tp_hlo_computation *c)
{
	uint32_t at = c->first;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, 2);) {
		struct tp_hlo_instruction *i = &r->m->instructions[at];

		if (read_instruction(r, p.bytes, i) != TP_OK)
			return tp_while(r->err, "instruction %u \"%.*s\" of computation \"%.*s\"",
				at - c->first, (int)tp_utf8_fit(i->name, LONGEST_IN_MESSAGE),
				i->name.ptr ? i->name.ptr : "", (int)tp_utf8_fit(c->name, LONGEST_IN_MESSAGE),
				c->name.ptr ? c->name.ptr : "");
		tp_map_put(&r->instruction_of_id, tp_hash_pair((uint64_t)i->id, r->computation), at);
		tp_map_put(&r->m->names, tp_hash_bytes(i->name), at);
		at++;
	}
	return TP_OK;
}

static enum tp_status
read_computation(struct reading *r, struct tp_slice message, uint32_t first)
{
	struct tp_hlo_computation *c = &r->m->computations[r->computation];
	struct tp_pb p = tp_pb_open(message);
	uint64_t root = 0;

	*c = (struct tp_hlo_computation){.first = first, .message = message};
	while (tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_BYTES))
			c->name = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 2, TP_PB_BYTES))
			c->count++;
		else if (is(&p, 5, TP_PB_VARINT))
			c->id = (int64_t)p.number;
		else if (is(&p, 6, TP_PB_VARINT))
			root = p.number;
	}
	enum tp_status status = read_instructions(r, message, c);

	if (status != TP_OK)
		return status;
	c->root = tp_map_get(&r->instruction_of_id, tp_hash_pair(root, r->computation));
	tp_map_put(&r->computation_of_id, (uint64_t)c->id, r->computation);
	return TP_OK;
}

/* Counts instructions and makes sure that messages end where they say. */
static enum tp_status
count_instructions(struct reading *r, struct tp_slice computation)
{
	struct tp_pb p = tp_pb_open(computation);

	while (tp_pb_next_bytes(&p, 2))
		r->m->instruction_count++;
	if (r->m->instruction_count > MOST_INSTRUCTIONS)
		return tp_fail(r->err, TP_ERR_LIMIT, "more than %d instructions", MOST_INSTRUCTIONS);
	return p.state == TP_PB_END ? TP_OK : damaged(r, "a computation");
}

struct entry {
	struct tp_slice name;
	uint64_t id;
};

static enum tp_status
count(struct reading *r, struct tp_slice module, struct entry *entry)
{
	struct tp_pb p = tp_pb_open(module);
	enum tp_status status = TP_OK;

	r->m->message = module;
	while (status == TP_OK && tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_BYTES))
			r->m->name = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 2, TP_PB_BYTES))
			entry->name = tp_utf8_clean(r->arena, p.bytes);
		else if (is(&p, 6, TP_PB_VARINT))
			entry->id = p.number;
		else if (is(&p, 15, TP_PB_BYTES))
			r->m->device_assignment = p.bytes;
		else if (is(&p, 17, TP_PB_BYTES))
			read_frames(p.bytes, r->arena, &r->frames);
		else if (is(&p, 3, TP_PB_BYTES)) {
			status = count_instructions(r, p.bytes);
			if (++r->m->computation_count > MOST_COMPUTATIONS)
				return tp_fail(
					r->err, TP_ERR_LIMIT, "more than %d computations", MOST_COMPUTATIONS);
		}
	}
	if (status != TP_OK)
		return status;
	if (p.state != TP_PB_END)
		return damaged(r, "the module");
	if (r->m->computation_count == 0)
		return tp_fail(r->err, TP_ERR_FORMAT, "the module has no computation");
	return TP_OK;
}

/* By id, in old files by name, else the last, as callees stand before callers. */
static uint32_t
find_entry(const struct reading *r, const struct entry *entry)
{
	uint32_t at = entry->id != 0 ? tp_map_get(&r->computation_of_id, entry->id) : TP_MAP_NONE;

	for (uint32_t c = 0; at == TP_MAP_NONE && c < r->m->computation_count; c++) {
		if (entry->name.len != 0 && tp_slice_eq(r->m->computations[c].name, entry->name))
			at = c;
	}
	return at != TP_MAP_NONE ? at : r->m->computation_count - 1;
}

static enum tp_status
read_module(struct reading *r, struct tp_slice module)
{
	struct entry entry = {.id = 0};
	uint32_t first = 0;
	enum tp_status status = count(r, module, &entry);

	if (status != TP_OK)
		return status;
	r->m->computations = tp_new_array(r->arena, struct tp_hlo_computation, r->m->computation_count);
	r->m->instructions = tp_new_array(r->arena, struct tp_hlo_instruction, r->m->instruction_count);
	for (struct tp_pb p = tp_pb_open(module); tp_pb_next_bytes(&p, 3);) {
		status = read_computation(r, p.bytes, first);
		if (status != TP_OK)
			return status;
		first += r->m->computations[r->computation++].count;
	}
	r->m->entry = find_entry(r, &entry);
	return TP_OK;
}

enum tp_status
tp_hlo_read(struct tp_slice bytes, struct tp_arena *arena, const struct tp_hlo_module **out,
	struct tp_err *err)
{
	struct reading r = {.m = tp_new(arena, struct tp_hlo_module), .arena = arena, .err = err};
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_slice module = {NULL, 0};
	bool any = false;

	*out = NULL;
	while (tp_pb_next_bytes(&p, 1)) {
		module = p.bytes;
		any = true;
	}
	if (!any || p.state != TP_PB_END)
		return tp_fail(err, TP_ERR_FORMAT, "not an HLO module, or one that is cut off");
	tp_map_init(&r.m->names, arena);
	tp_map_init(&r.computation_of_id, arena);
	tp_map_init(&r.instruction_of_id, arena);
	enum tp_status status = read_module(&r, module);

	if (status == TP_OK)
		*out = r.m;
	return status;
}

const struct tp_hlo_instruction *
tp_hlo_find(const struct tp_hlo_module *m, struct tp_slice name)
{
	uint32_t at = tp_map_get(&m->names, tp_hash_bytes(name));

	if (at == TP_MAP_NONE || !tp_slice_eq(m->instructions[at].name, name))
		return NULL;
	return &m->instructions[at];
}
