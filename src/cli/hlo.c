/* tpreport hlo PATH [PROGRAM]: the programs whose HLO a run holds, one a line, or one of them as text. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "io/sink.h"
#include "model/hlo_text.h"
#include "model/profile.h"

#include <stdio.h>

/* "jit_f", or "jit_f(7)" where programs of one name are to be told apart. */
static bool
is_named(const struct tp_program *p, struct tp_slice wish)
{
	char id[32];
	int length = snprintf(id, sizeof id, "(%llu)", (unsigned long long)p->id);

	if (tp_slice_eq(p->name, wish))
		return true;
	return wish.len == p->name.len + (size_t)length && tp_slice_starts(wish, p->name) &&
		tp_slice_ends(wish, tp_slice_of(id));
}

/* Whether an earlier host has the same program. */
static bool
is_again(const struct tp_profile *p, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++) {
		if (p->programs[i].id == p->programs[at].id &&
			tp_slice_eq(p->programs[i].name, p->programs[at].name))
			return true;
	}
	return false;
}

static void
list_programs(const struct tp_profile *p, FILE *out)
{
	for (uint32_t i = 0; i < p->program_count; i++) {
		if (is_again(p, i))
			continue;
		tp_put_safe(out, p->programs[i].name, "?");
		fprintf(out, "(%llu)\n", (unsigned long long)p->programs[i].id);
	}
}

static int
write_program(const struct tp_program *program, const char *path, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	int status = TP_EXIT_DAMAGED;

	if (tp_hlo_read(program->hlo, arena, &m, err) == TP_OK) {
		struct tp_sink *out = tp_sink_open(path, err);
		uint32_t lacking = out != NULL ? tp_hlo_write_text(m, out) : 0;

		status =
			out != NULL && tp_sink_commit(out, err) == TP_OK ? TP_EXIT_OK : TP_EXIT_CANNOT_WRITE;
		tp_sink_close(out);
		if (status == TP_EXIT_OK && lacking != 0)
			fprintf(stderr, "tpreport: note: %u %s attributes that were not written\n", lacking,
				tp_plural(lacking, "instruction has", "instructions have"));
	}
	if (status != TP_EXIT_OK)
		tp_say_err(err);
	tp_arena_free(arena);
	return status;
}

static const struct tp_program *
find(const struct tp_profile *p, const char *wish)
{
	for (uint32_t i = 0; i < p->program_count; i++) {
		if (is_named(&p->programs[i], tp_slice_of(wish)))
			return &p->programs[i];
	}
	tp_say(
		"no program %s; %s", wish, p->program_count != 0 ? "there are:" : "the run holds no HLO");
	list_programs(p, stderr);
	return NULL;
}

int
tp_command_hlo(const struct tp_args *args)
{
	const char *const *words = tp_args_strings(&args->paths);
	int status = TP_EXIT_OK;

	if (args->paths.count < 1 || args->paths.count > 2 || args->outputs.count > 1) {
		tp_say(
			"hlo needs a path and optionally a program name: tpreport hlo logdir jit_train_step -o "
			"program.hlo");
		return TP_EXIT_USAGE;
	}
	if (args->paths.count == 1 && args->outputs.count != 0) {
		tp_say("hlo lists programs on standard output; -o writes one of them: tpreport hlo logdir "
			   "jit_train_step -o program.hlo");
		return TP_EXIT_USAGE;
	}
	struct tp_session *s = tp_session_open(args, words, 1, &status);

	if (s == NULL)
		return status;
	const struct tp_profile *p = tp_session_profile(s, tp_session_count(s) - 1);

	if (p == NULL) {
		tp_say("a report holds no programs: give hlo the log directory that it was made from");
		status = TP_EXIT_NO_PROFILE;
	} else if (args->paths.count == 1) {
		list_programs(p, stdout);
		if (p->program_count == 0 && !args->quiet)
			tp_say("warning: the run holds no HLO; XLA profiles of JAX, TensorFlow and PyTorch/XLA "
				   "may");
	} else {
		const struct tp_program *program = find(p, words[1]);
		struct tp_err err = {.status = TP_OK};

		status = program != NULL
			? write_program(program,
				  args->outputs.count != 0 ? tp_args_strings(&args->outputs)[0] : "-", &err)
			: TP_EXIT_USAGE;
	}
	tp_session_close(s);
	return status;
}
