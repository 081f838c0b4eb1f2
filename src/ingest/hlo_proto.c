/* The reader of HLO on its own: *.hlo_proto.pb as profilers leave it beside a profile, *.hlo.pb as XLA dumps it, each an
 * xla.HloProto; and an xla.HloModuleProto, which has no memory plan. Known by what they hold, whatever they are called. */
#include "ingest/hlo.h"

#include "base/arena.h"
#include "codec/pb_message.h"
#include "codec/pb_write.h"
#include "hlo.pb-c.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <stdlib.h>

/* Field numbers of hlo.proto. */
enum { HLO_MODULE = 1, MODULE_NAME = 1, MODULE_COMPUTATIONS = 3 };
enum { COMPUTATION_INSTRUCTIONS = 2, INSTRUCTION_OPCODE = 2, INSTRUCTION_SHAPE = 3 };

/* The first field of bytes with this number; NULL: there is none before the message ends or breaks. cut: it runs past the end. */
static struct tp_slice
first_field(struct tp_slice message, uint32_t field, bool *cut)
{
	struct tp_pb p = tp_pb_open(message);

	if (!tp_pb_next_bytes(&p, field))
		return (struct tp_slice){NULL, 0};
	*cut |= p.state == TP_PB_TRUNCATED;
	return p.bytes;
}

/* Whether a message is an HloModuleProto: it has a name, and a computation of instructions with opcode and shape. What else
 * profilers write has numbers or texts at one of these places. */
static bool
is_module(struct tp_slice message)
{
	bool cut = false;
	struct tp_slice name = first_field(message, MODULE_NAME, &cut);
	struct tp_slice computation = first_field(message, MODULE_COMPUTATIONS, &cut);
	struct tp_slice instruction = first_field(computation, COMPUTATION_INSTRUCTIONS, &cut);

	return name.len != 0 && first_field(instruction, INSTRUCTION_OPCODE, &cut).len != 0 &&
		first_field(instruction, INSTRUCTION_SHAPE, &cut).ptr != NULL;
}

static const char *const suffixes[] = {".hlo_proto.pb", ".hlo.pb", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	bool cut = false;

	/* Surer than any name. */
	if (is_module(first_field(head, HLO_MODULE, &cut)) || is_module(head))
		return 95;
	return tp_probe_suffixes(name, suffixes);
}

/* A lone module as the HloProto that holds it. */
static struct tp_slice
wrap(struct tp_arena *arena, struct tp_slice module)
{
	struct tp_buf o = {0};

	tp_pb_put_bytes(&o, HLO_MODULE, module);
	struct tp_slice hlo = tp_arena_copy(arena, tp_pb_written(&o));

	tp_buf_free(&o);
	return hlo;
}

/* "jit_f" and 12 of a file "jit_f(12)"; else the module's own name and id. */
static void
name_program(struct tp_program *program, struct tp_slice file, struct tp_slice module)
{
	const char *open = file.len != 0 ? memrchr(file.ptr, '(', file.len) : NULL;
	Tp__HloModule m = TP__HLO_MODULE__INIT;
	char digits[24] = {0}, *end;

	tp_pb_message(&m.base, module);
	program->name = tp_pb_slice(m.name);
	program->id = m.id;
	if (open == NULL || open == file.ptr)
		return;
	struct tp_slice number = tp_slice_from(file, (size_t)(open + 1 - file.ptr));

	if (number.len < 2 || number.len >= sizeof digits)
		return;
	memcpy(digits, number.ptr, number.len);
	uint64_t id = strtoull(digits, &end, 10);

	if (digits[0] < '0' || digits[0] > '9' || end[0] != ')' || end[1] != '\0')
		return;
	program->id = id;
	program->name = (struct tp_slice){file.ptr, (size_t)(open - file.ptr)};
}

/* Profilers leave the programs of a profile beside it. */
static bool
is_known(struct tp_builder *out, const struct tp_source *in, const struct tp_program *program)
{
	for (uint32_t i = 0; i < tp_built_program_count(out); i++) {
		const struct tp_program *other = tp_built_program(out, i);

		if (other->id != program->id || !tp_slice_eq(other->name, program->name))
			continue;
		if (!tp_slice_eq(other->hlo, program->hlo))
			tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_NOTE, in->path, TP_NO_OFFSET,
				"another program %.*s with the id %llu was already read: that one counts",
				TP_ARG(program->name), (unsigned long long)program->id);
		return true;
	}
	return false;
}

/* Nothing in a program says where it ran. */
static uint32_t
any_host(const struct tp_source *in, struct tp_builder *out)
{
	struct tp_host *host;

	if (tp_built_host_count(out) != 0)
		return 0;
	uint32_t index = tp_build_host(out, &host);

	host->input = in->input;
	host->name = TP_S("host not recorded");
	return index;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_program program = {.hlo = in->bytes}, *kept;
	bool cut = false;
	struct tp_slice module = first_field(in->bytes, HLO_MODULE, &cut);

	if (is_module(in->bytes)) {
		module = in->bytes;
		program.hlo = wrap(tp_builder_profile(out)->arena, module);
		program.hlo_at = TP_NO_OFFSET;
		cut = false;
	}
	if (!is_module(module))
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0 ? "the file is empty"
							   : "not an HLO module: it holds no computation");
	if (cut)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, in->bytes.len,
			"the file ends here, inside its HLO module");
	struct tp_pb rest = tp_pb_open(in->bytes);

	while (tp_pb_next(&rest))
		;
	if (rest.state != TP_PB_END && program.hlo.ptr == in->bytes.ptr) {
		/* The module is whole, but what follows is not. */
		program.hlo.len = (size_t)(module.ptr + module.len - in->bytes.ptr);
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path,
			(uint64_t)((const char *)rest.at - in->bytes.ptr),
			"the file %s here: its module was read, its memory plan is lost",
			rest.state == TP_PB_TRUNCATED ? "breaks off" : "is damaged from");
	}
	name_program(&program, in->host, module);
	program.host = any_host(in, out);
	if (is_known(out, in, &program))
		return TP_OK;
	uint32_t first = tp_build_program(out, &kept);

	*kept = program;
	tp_hlo_describe(in, out, tp_built_op_count(out), first);
	return TP_OK;
}

const struct tp_reader tp_reader_hlo_proto = {
	.name = "hlo_proto",
	.summary = "compiled programs alone: *.hlo_proto.pb, *.hlo.pb from XLA dumps",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_PRECOMPUTED,
	.read = read,
};
