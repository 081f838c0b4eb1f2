/* The memory viewer's file, of one program. The older holds the JSON of the HloProto, from which its page worked the plan
 * out; the newer the answer: PreprocessResult of memory_viewer_preprocess.proto. */
#include "base/arena.h"
#include "base/path.h"
#include "base/texts.h"
#include "codec/pb_write.h"
#include "hlo.pb-c.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* JSON of an HloProto as a message, by the names and numbers of proto/hlo.proto. No program's tuples are nested as deep. */
enum { DEEPEST = 40 };

/* An integer of 64 bits, also as a text and as true or false; false: it is none. */
static bool
integer_of(const json_t *value, uint64_t *out)
{
	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
	} else if (json_is_boolean(value)) {
		*out = json_is_true(value);
	} else if (json_is_real(value)) {
		double number = json_real_value(value);

		if (!(fabs(number) < 9e15) || number != floor(number))
			return false;
		*out = (uint64_t)(int64_t)number;
	} else if (json_is_string(value)) {
		const char *text = json_string_value(value);
		bool minus = *text == '-';
		char *end;

		if (text[minus] < '0' || text[minus] > '9')
			return false;
		errno = 0;
		*out = strtoull(text + minus, &end, 10);
		if (errno != 0 || *end != '\0')
			return false;
		*out = minus ? -*out : *out;
	} else {
		return false;
	}
	return true;
}

static bool
number_of(const ProtobufCFieldDescriptor *f, const json_t *value, uint64_t *out)
{
	const ProtobufCEnumValue *named = NULL;

	if (f->type == PROTOBUF_C_TYPE_ENUM && json_is_string(value))
		named =
			protobuf_c_enum_descriptor_get_value_by_name(f->descriptor, json_string_value(value));
	if (named != NULL)
		*out = (uint64_t)named->value;
	return named != NULL || integer_of(value, out);
}

static void put_message(
	struct tp_buf *o, const ProtobufCMessageDescriptor *m, const json_t *object, unsigned depth);

static void
put_one(struct tp_buf *o, const ProtobufCFieldDescriptor *f, const json_t *value, unsigned depth)
{
	size_t start = o->count;
	uint64_t number;

	if (f->type == PROTOBUF_C_TYPE_BYTES) {
		if (json_is_string(value))
			tp_pb_put_bytes(
				o, f->id, (struct tp_slice){json_string_value(value), json_string_length(value)});
	} else if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
		if (!json_is_object(value) || depth == DEEPEST)
			return;
		put_message(o, f->descriptor, value, depth + 1);
		tp_pb_wrap(o, f->id, o->count - start);
	} else if (number_of(f, value, &number)) {
		tp_pb_put_number(o, f->id, number);
	}
}

/* Lists of numbers are packed, as readers of such lists expect them. */
static void
put_packed(struct tp_buf *o, const ProtobufCFieldDescriptor *f, const json_t *list)
{
	size_t start = o->count;
	uint64_t number;

	for (size_t i = 0; i < json_array_size(list); i++) {
		if (integer_of(json_array_get(list, i), &number))
			tp_pb_put_varint(o, number);
	}
	tp_pb_wrap(o, f->id, o->count - start);
}

/* By its name in JSON, or else by that in the .proto: "hloModule", "hlo_module". */
static const json_t *
value_of(const json_t *object, const char *name)
{
	const json_t *value;
	char key[64];
	size_t n = 0;

	for (const char *c = name; *c != '\0' && n + 1 < sizeof key; c++)
		key[n++] = *c != '_' ? *c : (char)(*++c & ~0x20);
	key[n] = '\0';
	value = json_object_get(object, key);
	return value != NULL ? value : json_object_get(object, name);
}

static void
put_message(
	struct tp_buf *o, const ProtobufCMessageDescriptor *m, const json_t *object, unsigned depth)
{
	for (unsigned k = 0; k < m->n_fields; k++) {
		const ProtobufCFieldDescriptor *f = &m->fields[k];
		const json_t *value = value_of(object, f->name);

		if (!json_is_array(value)) {
			put_one(o, f, value, depth);
		} else if (f->type == PROTOBUF_C_TYPE_UINT64) {
			put_packed(o, f, value);
		} else {
			for (size_t i = 0; i < json_array_size(value); i++)
				put_one(o, f, json_array_get(value, i), depth);
		}
	}
}

/* The serialized HloProto, in arena: the module's instructions with their shapes and the buffer assignment, which is what a
 * memory plan needs (operands and what else there is are not in it). Names may be written as in JSON (hloModule) or as in
 * the .proto (hlo_module), numbers of 64 bits as texts, enums by name or number. Values of other types are left out, and so
 * are tuples nested deeper than any program's. Empty: there is no module in it. */
static struct tp_slice
hlo_from_json(const json_t *root, struct tp_arena *arena)
{
	struct tp_buf o = {0};

	if (!json_is_object(value_of(root, "hlo_module")))
		return TP_S("");
	put_message(&o, &tp__hlo_proto__descriptor, root, 0);
	struct tp_slice out = tp_arena_copy(arena, tp_pb_written(&o));

	tp_buf_free(&o);
	return out;
}

/* More than any device has, 2^50 bytes. */
#define MOST_MIB 0x1p30

static double
mib(const json_t *object, const char *key)
{
	double n = tp_json_figure(json_object_get(object, key));

	return n >= 0 && n <= MOST_MIB ? n : NAN;
}

static double
or_zero(double figure)
{
	return isfinite(figure) ? figure : 0;
}

static uint32_t
point(const json_t *value, uint32_t otherwise)
{
	double n = tp_json_figure(value);

	return n >= 0 && n <= TP_TOOL_MOST_ROWS ? (uint32_t)n : otherwise;
}

/* The points of a curve; NULL: the list is shorter, or holds what is no size. */
static const double *
curve(struct tp_tool_file *f, const json_t *list, size_t count)
{
	double *all = tp_new_array(f->arena, double, count);

	if (json_array_size(list) != count)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		all[i] = tp_json_figure(json_array_get(list, i));
		if (!(all[i] >= 0 && all[i] <= MOST_MIB))
			return NULL;
	}
	return all;
}

static void
read_curve(struct tp_tool_file *f, const json_t *root, struct tp_precomputed_plan *plan)
{
	const json_t *heap = json_object_get(root, "heapSizes");
	size_t count = json_array_size(heap);
	uint32_t position = point(json_object_get(root, "peakHeapSizePosition"), 0);

	if (count < 2)
		return;
	if (count <= TP_TOOL_MOST_ROWS) {
		plan->mib = curve(f, heap, count);
		plan->unpadded = curve(f, json_object_get(root, "unpaddedHeapSizes"), count);
	}
	if (plan->mib == NULL || plan->unpadded == NULL || position + (size_t)1 >= count) {
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_WARNING, f->in->path, TP_NO_OFFSET,
			"its heap sizes are inconsistent with each other or the peak's position: the curve is "
			"left out");
		return;
	}
	plan->event_count = (uint32_t)count - 1;
	plan->peak_position = position;
	plan->peak_instruction = tp_json_text(
		f->arena, json_array_get(json_object_get(root, "hloInstructionNames"), position));
}

static struct tp_slice
source_of(struct tp_tool_file *f, const json_t *source)
{
	struct tp_slice file = tp_json_text(f->arena, json_object_get(source, "fileName"));

	if (file.len == 0)
		return TP_S("");
	return tp_arena_printf(
		f->arena, "%.*s:%u", TP_ARG(file), point(json_object_get(source, "lineNumber"), 0));
}

static void
read_buffer(struct tp_tool_file *f, const json_t *row, const json_t *spans,
	const struct tp_precomputed_plan *plan, struct tp_precomputed_buffer *out)
{
	struct tp_slice id = tp_json_text(f->arena, json_object_get(row, "logicalBufferId"));
	const json_t *span =
		id.len != 0 ? json_object_get(spans, tp_arena_copy(f->arena, id).ptr) : NULL;

	*out = (struct tp_precomputed_buffer){
		.name = tp_json_text(f->arena, json_object_get(row, "instructionName")),
		.shape = tp_json_text(f->arena, json_object_get(row, "shapeString")),
		.category = tp_json_text(f->arena, json_object_get(row, "groupName")),
		.opcode = tp_json_text(f->arena, json_object_get(row, "opCode")),
		.framework = tp_json_text(f->arena, json_object_get(row, "tfOpName")),
		.source = source_of(f, json_object_get(row, "sourceInfo")),
		.mib = or_zero(mib(row, "logicalBufferSizeMib")),
		.end = plan->event_count,
		.whole = span == NULL,
	};
	out->unpadded_mib = mib(row, "unpaddedShapeMib");
	/* "small (<16384 bytes)" has no more than a label and its size. */
	if (out->name.len == 0)
		out->name = tp_json_text(f->arena, json_object_get(row, "label"));
	if (out->name.len == 0)
		out->name = TP_S("a buffer without an instruction");
	if (!isfinite(out->unpadded_mib))
		out->unpadded_mib = out->category.len == 0 ? out->mib : 0;
	if (span == NULL)
		return;
	uint32_t start = point(json_object_get(span, "start"), 0);
	uint32_t end = point(json_object_get(span, "limit"), 0);

	/* A lifetime that ends before it begins, or begins after the program, is none. */
	out->whole = start > end || start > plan->event_count;
	if (!out->whole) {
		out->start = start;
		out->end = end;
	}
}

static struct tp_precomputed_plan *
read_figures(struct tp_tool_file *f, const json_t *root)
{
	struct tp_precomputed_plan *plan = tp_new(f->arena, struct tp_precomputed_plan);
	const json_t *rows = json_object_get(root, "maxHeap");
	const json_t *spans = json_object_get(root, "logicalBufferSpans");
	size_t count = json_array_size(rows);
	struct tp_precomputed_buffer *buffers;

	*plan = (struct tp_precomputed_plan){
		.name = tp_json_text(f->arena, json_object_get(root, "moduleName")),
		.peak_mib = mib(root, "peakHeapMib"),
		.unpadded_mib = or_zero(mib(root, "peakUnpaddedHeapMib")),
		/* In JSON of messages what is 0 is left out. */
		.whole_mib = or_zero(mib(root, "indefiniteBufferAllocationMib")),
		.allocated_mib = or_zero(mib(root, "totalBufferAllocationMib")),
		.parameter_mib = or_zero(mib(root, "entryComputationParametersMib")),
	};
	read_curve(f, root, plan);
	count = count < TP_TOOL_MOST_ROWS ? count : TP_TOOL_MOST_ROWS;
	buffers = tp_new_array(f->arena, struct tp_precomputed_buffer, count);
	for (size_t i = 0; i < count; i++)
		read_buffer(f, json_array_get(rows, i), spans, plan, &buffers[i]);
	plan->buffers = buffers;
	plan->buffer_count = count;
	return plan;
}

/* Its name and id are the module's. */
static struct tp_precomputed_plan *
read_hlo(struct tp_tool_file *f, struct tp_slice hlo, uint64_t *id)
{
	struct tp_precomputed_plan *plan = tp_new(f->arena, struct tp_precomputed_plan);
	Tp__HloModule m = TP__HLO_MODULE__INIT;

	tp_pb_message(&m.base, tp_pb_first(hlo, 1));
	*id = m.id;
	*plan = (struct tp_precomputed_plan){
		.hlo = hlo, .name = tp_tool_pb_text(f->arena, m.name), .has_id = m.id != 0};
	return plan;
}

/* 42 of "memory_viewer.jit_f(42).json", as an answer is called that is saved under the name of its program; 0: none. */
static uint64_t
id_in(const char *path)
{
	const char *name = tp_path_name(tp_slice_of(path)).ptr, *open = strrchr(name, '(');
	char *end;
	uint64_t id = open != NULL ? strtoull(open + 1, &end, 10) : 0;

	return open != NULL && *end == ')' ? id : 0;
}

/* The same program of another file. */
static bool
is_known(struct tp_tool_file *f, const struct tp_precomputed_plan *plan, uint64_t id)
{
	for (uint32_t i = 0; i < tp_built_program_count(f->out); i++) {
		const struct tp_program *other = tp_built_program(f->out, i);

		if (other->id != id || !tp_slice_eq(other->name, plan->name))
			continue;
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			"another file of the run already gives the program %.*s: that one counts",
			TP_ARG(plan->name));
		return true;
	}
	return false;
}

static void
keep(struct tp_tool_file *f, struct tp_precomputed_plan *plan, uint64_t id)
{
	struct tp_precomputed *g = f->precomputed;
	const struct tp_precomputed_plan **plans =
		tp_new_array(f->arena, const struct tp_precomputed_plan *, g->plan_count + 1);
	uint32_t host = tp_tool_host(f->in, f->out);
	struct tp_program *program;

	plan->from = f->name;
	plan->program = TP_NONE;
	if (plan->name.len == 0)
		plan->name = TP_S("a program without a name");
	if (host != TP_NONE && is_known(f, plan, id))
		return;
	if (host != TP_NONE) {
		plan->program = tp_build_program(f->out, &program);
		*program = (struct tp_program){
			.host = host, .id = id, .name = plan->name, .hlo = plan->hlo, .hlo_at = TP_NO_OFFSET};
	}
	if (g->plan_count != 0)
		memcpy(plans, g->plans, g->plan_count * sizeof(*plans));
	plans[g->plan_count++] = plan;
	g->plans = plans;
}

static void
memory_viewer(struct tp_tool_file *f, const json_t *root)
{
	struct tp_slice hlo = hlo_from_json(root, f->arena);
	uint64_t id = 0;

	if (hlo.len != 0) {
		struct tp_precomputed_plan *plan = read_hlo(f, hlo, &id);

		f->found = true;
		keep(f, plan, id);
	} else if (isfinite(mib(root, "peakHeapMib"))) {
		struct tp_precomputed_plan *plan = read_figures(f, root);

		f->found = true;
		keep(f, plan, id_in(f->in->path));
	} else if (json_is_string(json_object_get(root, "moduleName"))) {
		/* That answer has nothing else when no buffer of the program lies in the memory asked for. */
		f->found = true;
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			"the program uses none of this memory: the file holds no figures");
	}
}

const struct tp_reader tp_reader_memory_viewer = {
	.name = "memory_viewer",
	.summary = "a program's memory plan from a profiler: its HLO, or the figures",
	.suffixes = TP_TEXTS(".memory_viewer.json"),
	.marks = TP_TEXTS("\"maxHeap\"", "\"heapSizes\"", "\"hloModule\"", "\"peakHeapMib\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool = TP_TOOL(.json = memory_viewer, .each = true,
		.complaint = "not a memory plan: it holds neither an HLO module nor a peak of the heap"),
	.read = tp_tool_read,
};
