/* Finding, choosing, loading and analysing runs, and telling the user what happened on the way. */
#include "cli/session.h"

#include "analyze/core/pass.h"
#include "analyze/graph/tpu_ops.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/detail.h"
#include "cli/options.h"
#include "cli/parts.h"
#include "cli/pass_options.h"
#include "cli/progress.h"
#include "cli/redact.h"
#include "cli/run_choice.h"
#include "cli/stored_input.h"
#include "cli/terminal.h"
#include "cli/views.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/load.h"
#include "io/blob.h"
#include "io/list.h"
#include "io/remote.h"
#include "model/profile.h"
#include "model/torch.h"
#include "redact/redaction.h"
#include "render/packed.h"
#include "report/doc.h"
#include "report/timeline.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

struct tp_session {
	struct tp_arena *arena;
	struct tp_buf loaded; /* of struct tp_loaded * */
	struct tp_buf docs;   /* of struct tp_doc * */
	struct tp_progress *progress;
	struct tp_viewing *viewing; /* of the run that is being read; may be NULL */
	const struct tp_args *args; /* the caller's, or … */
	struct tp_args own;         /* … with what to do where memory does not suffice */
	struct tp_pass_options options;
	struct tp_buf packed; /* of struct tp_packed *: of timelines */
	struct tp_blob *
		from_stdin; /* read before it is known what it is; NULL: it is no input, or the loader has it */
	bool partial;
};

static void
tell_diags(const struct tp_args *args, const struct tp_diags *diags)
{
	for (const struct tp_diag *d = diags->first; d != NULL; d = d->next) {
		if (args->quiet || (d->level == TP_DIAG_NOTE && !args->verbose))
			continue;
		tp_say_diag(d);
	}
}

/* The first of what could not be looked at: a profile may lie there. */
static void
tell_gaps(const struct tp_found *found)
{
	enum { MOST = 5 };

	for (size_t i = 0; i < found->gap_count && i < MOST; i++)
		tp_tell("  skipped: %.*s: %.*s", TP_ARG(found->gaps[i].path), TP_ARG(found->gaps[i].why));
	if (found->gap_count > MOST)
		tp_tell("  and %zu more", found->gap_count - MOST);
}

/* Each kind with what helps; whose they are where there is more than one file. */
static void
tell_not_read(const struct tp_not_read *list)
{
	bool one = list != NULL && list->next == NULL && list->count == 1;

	for (const struct tp_not_read *n = list; n != NULL; n = n->next) {
		fputs("  known, but not read: ", stderr);
		if (n->count > 1)
			fprintf(stderr, "%zu files, the first is ", n->count);
		if (!one) {
			tp_say_safe(tp_path_name(n->first));
			fputs(": ", stderr);
		}
		tp_say_safe(tp_slice_of(n->why));
		fputc('\n', stderr);
	}
}

/* Reports are inputs, but one by one: a folder of them is no log directory. False where there is none. */
static bool
tell_reports(const char *const *paths, size_t count)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice first;
	size_t reports = tp_stored_below(paths, count, arena, &first);

	if (reports != 0)
		tp_tell("  holds %zu %s of tpreport, such as %.*s: give files, not the folder, to tpreport "
				"history, diff, show or get",
			reports, tp_plural(reports, "report", "reports"), TP_ARG(first));
	tp_arena_free(arena);
	return reports != 0;
}

static int
nothing_found(const struct tp_found *found, const char *const *paths, size_t count)
{
	fputs("tpreport: no profile found in", stderr);
	for (size_t i = 0; i < count; i++) {
		fputc(' ', stderr);
		tp_say_safe(tp_slice_of(paths[i]));
	}
	fprintf(stderr,
		"\n  searched: %.*s for *.xplane.pb, *.trace.json and *.pt.trace.json (also .gz, .zst), "
		"*.hlo_proto.pb, events.out.tfevents.*, graph.pb, and tool files such as "
		"*.overview_page.pb\n",
		TP_ARG(found->searched));
	if (found->saw.len != 0)
		tp_tell("  saw: %.*s", TP_ARG(found->saw));
	tell_gaps(found);
	if (tell_reports(paths, count))
		return TP_EXIT_NO_PROFILE;
	tell_not_read(found->not_read);
	fputs("  capture one with jax.profiler.trace(DIR), tf.profiler.experimental.start(DIR) or\n"
		  "  torch.profiler with on_trace_ready=tensorboard_trace_handler(DIR)\n",
		stderr);
	return TP_EXIT_NO_PROFILE;
}

static void
watch_file(void *with, const char *path, unsigned number, unsigned count)
{
	struct tp_session *s = with;
	char line[80];

	snprintf(line, sizeof line, "reading %u of %u: ", number, count);
	tp_progress_say(s->progress, line, path);
	if (s->args->verbose)
		tp_say("%s%s", line, path);
}

static void
watch_fetching(void *with, const char *text)
{
	struct tp_session *s = with;

	tp_progress_say(s->progress, text, "");
}

static void
came(void *with, const char *path, const struct tp_coming *coming)
{
	struct tp_session *s = with;

	tp_views_came(s->viewing, path, coming);
}

static int64_t
source_date_epoch(const struct tp_profile *p)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	size_t seconds;
	int64_t newest = 0;

	if (epoch != NULL && tp_plain_number(epoch, &seconds))
		return (int64_t)seconds;
	for (uint32_t i = 0; i < p->host_count; i++) {
		int64_t stop = p->hosts[i].stop_unix_ns / 1000000000;

		newest = stop > newest ? stop : newest;
	}
	return newest;
}

static bool
was_partial(const struct tp_profile *p)
{
	return p->diags.warnings != 0;
}

static void
end_progress(struct tp_session *s)
{
	tp_progress_stop(s->progress);
	s->progress = NULL;
}

static bool
has_device(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind != TP_DEVICE_OTHER)
			return true;
	}
	return false;
}

/* Whether an annotation of a PyTorch trace has a name that --steps fits. */
static bool
steps_are_there(const char *regex, const struct tp_torch *torch, const struct tp_profile *p)
{
	regex_t compiled;
	bool found = false;

	if (regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB) != 0)
		return true;
	for (uint32_t i = 0; i < torch->trace_count && !found; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		for (uint32_t e = 0; e < t->count && !found; e++) {
			char name[1024];

			if (t->kind[e] != TP_TORCH_ANNOTATION && t->kind[e] != TP_TORCH_GPU_ANNOTATION &&
				t->kind[e] != TP_TORCH_STEP)
				continue;
			snprintf(name, sizeof name, "%.*s", TP_ARG(tp_torch_name(p, t, e)));
			found = regexec(&compiled, name, 0, NULL, 0) == 0;
		}
	}
	regfree(&compiled);
	return found;
}

/* Options about something that the run does not hold. */
static void
tell_idle(const struct tp_args *args, const struct tp_profile *p)
{
	const struct {
		bool idle;
		const char *option, *why;
	} options[] = {
		{args->graph != NULL && p->graphs == NULL, "graph", "no TensorFlow graph was read"},
		{args->peak != NULL && !has_device(p), "peak", "no TPU or GPU was recorded"},
		{args->tpu_ops != NULL && p->graphs == NULL, "tpu-ops", "no TensorFlow graph was read"},
		{args->steps != NULL && p->torch == NULL, "steps", "no PyTorch trace was read"},
		{args->steps != NULL && p->torch != NULL && !steps_are_there(args->steps, p->torch, p),
			"steps", "no annotation has such a name"},
	};

	if (args->quiet)
		return;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (options[i].idle)
			tp_say("warning: --%s has no effect: %s", options[i].option, options[i].why);
	}
	if (args->tpu_ops != NULL && p->graphs != NULL && tp_tpu_list_is_past(args->tpu_ops))
		tp_say("warning: --tpu-ops %s: using the list of TensorBoard %s, the newest known",
			args->tpu_ops, tp_tpu_list_row(TP_TPU_LIST_NEWEST)->last);
}

static int
failed(struct tp_session *s, const struct tp_err *err)
{
	end_progress(s);
	tp_say_err(err);
	if (err->status == TP_ERR_USAGE)
		return TP_EXIT_USAGE;
	return err->status == TP_ERR_IO || err->status == TP_ABSENT ? TP_EXIT_NO_PROFILE
																: TP_EXIT_DAMAGED;
}

/* A report says itself what is to be done where memory does not suffice; any other command only asks. */
static const struct tp_args *
args_of(struct tp_session *s, const struct tp_args *args)
{
	if (args->command == NULL || (args->command->is & TP_FOR_REPORT) != 0)
		return args;
	s->own = *args;
	s->own.parts = tp_detail_parts(args, NULL, s->arena);
	s->own.alone = tp_detail_alone(args, NULL, s->arena);
	return &s->own;
}

/* Whether its traces are read one after the other, as memory does not suffice for all. */
static bool
goes_in_parts(const struct tp_session *s, const struct tp_run *run)
{
	return tp_parts_count(run) > 1 &&
		(tp_detail_is_in_parts() || (s->args->parts != NULL && tp_parts_are_needed(run)));
}

static int
take_in_parts(struct tp_session *s, const struct tp_run *run)
{
	struct tp_err err = {.status = TP_OK};
	struct tp_doc *doc =
		tp_parts_doc(run, s->args, &s->options, s->progress, s->arena, &s->partial, &err);

	if (doc == NULL)
		return failed(s, &err);
	*tp_buf_new(&s->docs, struct tp_doc *) = doc;
	return TP_EXIT_OK;
}

/* What takes longest of an output begins while other passes run. */
static void
pack_timeline(void *session, struct tp_timeline *t)
{
	struct tp_session *s = session;

	t->packed = tp_packed_timeline(t, s->args->pool);
	*tp_buf_new(&s->packed, struct tp_packed *) = t->packed;
}

/* Loads and analyses one run; an exit status when that fails. */
static int
take_run(struct tp_session *s, const struct tp_found *found, size_t index)
{
	const struct tp_run *run = &found->runs[index];
	struct tp_pass_options options = s->options;
	struct tp_load_watch watch = {watch_file, came, s};
	struct tp_err err = {.status = TP_OK};
	struct tp_run chosen;
	struct tp_choice choice = {
		.hosts = tp_args_strings(&s->args->hosts),
		.host_count = s->args->hosts.count,
		.workers = tp_args_strings(&s->args->workers),
		.worker_count = s->args->workers.count,
		.span = s->args->span,
	};

	if (tp_choose_files(run, &choice, s->arena, &chosen, &err) != TP_OK)
		return failed(s, &err);
	if (goes_in_parts(s, &chosen))
		return take_in_parts(s, &chosen);
	const struct tp_memory_again *parts = tp_parts_count(&chosen) > 1 ? s->args->parts : NULL;

	tp_memory_start_again(parts);
	s->viewing = tp_views_plan(s->args, found, index, s->progress, s->arena, &options);
	options.other_runs = tp_runs_beside(found, index, s->arena);
	options.hosts = s->args->hosts.count != 0 ? tp_run_hosts(run) : 0;
	tp_detail_take(&options);
	struct tp_loaded *loaded = tp_load_run(run, &choice, &watch, s->args->pool, s->arena, &err);

	tp_views_finish(s->viewing, &options);

	if (loaded == NULL)
		return failed(s, &err);
	*(struct tp_loaded **)tp_buf_add(&s->loaded, sizeof loaded) = loaded;
	struct tp_profile *profile = tp_loaded_profile(loaded);
	struct tp_doc *doc = tp_doc_new(s->arena);

	/* What can be left out takes no memory before. */
	tp_memory_start_again(s->args->again != NULL ? s->args->again : parts);
	tp_detail_tell(&profile->diags);
	tp_progress_say(s->progress, "analysing", "");
	doc->version = TP_S(TP_VERSION);
	doc->made_unix_s = source_date_epoch(profile);
	options.timeline_made = pack_timeline;
	options.timeline_with = s;
	if (tp_analyze(tp_passes, profile, &options, s->arena, doc, &err) != TP_OK ||
		tp_doc_check(doc, &err) != TP_OK) {
		/* Neither fails for any input, unless what was asked for is not in it; else it is our fault and must be seen. */
		end_progress(s);
		tp_say_err(&err);
		return err.status == TP_ERR_USAGE ? TP_EXIT_USAGE : TP_EXIT_DAMAGED;
	}
	if (s->args->redaction != NULL)
		tp_redact_learn(s->args->redaction, profile);
	*(struct tp_doc **)tp_buf_add(&s->docs, sizeof doc) = doc;
	s->partial |= was_partial(profile);
	return TP_EXIT_OK;
}

static int
mixed_inputs(void)
{
	tp_say("some of the paths are reports of tpreport and some are not: give one kind at a time");
	return TP_EXIT_USAGE;
}

/* Reports that tpreport wrote are read back as they are. */
static int
take_reports(struct tp_session *s, const char *const *paths, size_t count)
{
	enum { COMPARE = TP_FOR_DIFF | TP_FOR_CHECK | TP_FOR_BUDGET | TP_FOR_HISTORY };
	enum tp_stored_part part =
		s->args->command->is & COMPARE ? TP_STORED_COMPARED : TP_STORED_WHOLE;

	if (s->args->redaction != NULL && !tp_redaction_is_whole(s->args->redaction)) {
		tp_say(
			"--redact=%s: a report does not say of what kind its names are: give --redact alone, "
			"or the log directory",
			s->args->redact);
		return TP_EXIT_USAGE;
	}
	for (size_t i = 0; i < count; i++) {
		struct tp_err err = {.status = TP_OK};
		struct tp_doc *doc = tp_stored_input_read(
			paths[i], strcmp(paths[i], "-") == 0 ? s->from_stdin : NULL, part, s->arena, &err);

		if (doc == NULL) {
			tp_say_err(&err);
			return err.status == TP_ERR_IO || err.status == TP_ABSENT ? TP_EXIT_NO_PROFILE
																	  : TP_EXIT_DAMAGED;
		}
		*(struct tp_doc **)tp_buf_add(&s->docs, sizeof doc) = doc;
	}
	return TP_EXIT_OK;
}

/* What "-" holds is read at once, so that it can be told what it is; false, with a message, where it cannot be read. */
static bool
read_stdin(struct tp_session *s, const char *const *paths, size_t count)
{
	struct tp_err err;
	size_t i = 0;

	while (i < count && strcmp(paths[i], "-") != 0)
		i++;
	if (i == count)
		return true;
	s->from_stdin = tp_blob_open("-", &err);
	if (s->from_stdin == NULL)
		tp_say_err(&err);
	return s->from_stdin != NULL;
}

/* Hands to the loader what was read of standard input. */
static void
hold_stdin(struct tp_session *s, struct tp_found *found)
{
	for (size_t i = 0; i < found->run_count; i++) {
		for (struct tp_run_file *f = found->runs[i].files; f != NULL; f = f->next) {
			if (tp_slice_eq(f->path, TP_S("-")))
				f->held = &s->from_stdin;
		}
	}
}

struct tp_session *
tp_session_open(
	const struct tp_args *args, const char *const *paths, size_t path_count, int *exit_status)
{
	struct tp_found found;
	struct tp_err err;
	size_t first, last;

	*exit_status = TP_EXIT_USAGE;
	struct tp_session *s = calloc(1, sizeof *s);

	if (s == NULL)
		tp_out_of_memory();
	s->arena = tp_arena_new();
	s->args = args_of(s, args);
	if (!tp_pass_options_read(args, s->arena, &s->options)) {
		tp_session_close(s);
		return NULL;
	}
	if (!read_stdin(s, paths, path_count)) {
		*exit_status = TP_EXIT_NO_PROFILE;
		tp_session_close(s);
		return NULL;
	}
	size_t reports = tp_stored_inputs(paths, path_count, s->from_stdin);

	if (reports != 0) {
		*exit_status = reports == path_count ? take_reports(s, paths, path_count) : mixed_inputs();
		if (*exit_status == TP_EXIT_OK)
			return s;
		tp_session_close(s);
		return NULL;
	}
	s->progress = tp_progress_start(!args->quiet);
	tp_remote_watch(watch_fetching, s);
	tp_progress_say(s->progress, "searching ", paths[0]);
	enum tp_status status = tp_discover(s->arena, paths, path_count, &found, &err);

	end_progress(s);
	if (status == TP_ABSENT) {
		*exit_status = nothing_found(&found, paths, path_count);
	} else if (status != TP_OK) {
		tp_say_err(&err);
		*exit_status = TP_EXIT_NO_PROFILE;
	} else if (tp_choose_runs(args, &found, s->arena, &first, &last)) {
		*exit_status = TP_EXIT_OK;
		hold_stdin(s, &found);
		tp_tell_other_runs(args, &found, last);
		s->progress = tp_progress_start(!args->quiet);
		for (size_t i = first; i <= last && *exit_status == TP_EXIT_OK; i++)
			*exit_status = take_run(s, &found, i);
		end_progress(s);
		for (size_t i = 0; i < s->loaded.count; i++)
			tell_diags(args, &tp_loaded_profile(((struct tp_loaded **)s->loaded.data)[i])->diags);
		if (s->args == &s->own)
			tp_memory_start_again(NULL);
		if (*exit_status == TP_EXIT_OK)
			tell_idle(args, tp_session_profile(s, tp_session_count(s) - 1));
	}
	if (*exit_status != TP_EXIT_OK) {
		tp_session_close(s);
		return NULL;
	}
	return s;
}

size_t
tp_session_count(const struct tp_session *s)
{
	return s->docs.count;
}

const struct tp_doc *
tp_session_doc(const struct tp_session *s, size_t index)
{
	return ((struct tp_doc **)s->docs.data)[index];
}

const struct tp_profile *
tp_session_profile(const struct tp_session *s, size_t index)
{
	return index < s->loaded.count ? tp_loaded_profile(((struct tp_loaded **)s->loaded.data)[index])
								   : NULL;
}

bool
tp_session_partial(const struct tp_session *s)
{
	return s->partial;
}

void
tp_session_close(struct tp_session *s)
{
	if (s == NULL)
		return;
	tp_remote_watch(NULL, NULL);
	struct tp_loaded **loaded = s->loaded.data;
	struct tp_packed **packed = s->packed.data;

	for (size_t i = 0; i < s->packed.count; i++)
		tp_packed_free(packed[i]);
	tp_buf_free(&s->packed);
	for (size_t i = 0; i < s->loaded.count; i++)
		tp_loaded_close(loaded[i]);
	tp_buf_free(&s->loaded);
	tp_buf_free(&s->docs);
	tp_blob_close(s->from_stdin);
	tp_arena_free(s->arena);
	free(s);
}
