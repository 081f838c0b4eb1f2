/* Where the most expensive operators are called from. Texts are made in scratch. */
#include "analyze/core/say.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch/operators/torch_ops_words.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/texts.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

/* Operators that are listed with their stacks, places of each; and stacks of each that are looked at, the most expensive ones. */
enum { MOST_OPERATORS = 30, MOST_PLACES = 5, MOST_STACKS = 256 };

enum column { PLACE, CALLS, DEVICE_SELF, HOST_SELF, SHARE, COLUMNS };

static const struct tp_column columns[] = {
	[PLACE] = TP_COLUMN("place", "Operator, called from", .code = true),
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls"),
	[DEVICE_SELF] = TP_COLUMN("device_self_us", "Device self", .unit = TP_UNIT_US, .decimals = 1),
	[HOST_SELF] = TP_COLUMN("host_self_us", "Host self", .unit = TP_UNIT_US, .decimals = 1),
	[SHARE] = TP_SHARE_COLUMN("operator_share", "Of the operator", .bar = true),
};

static void
fill(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s,
	const struct tp_torch_op_sums *whole, struct tp_cell *cell)
{
	cell[CALLS].value = tp_count(s->calls);
	cell[DEVICE_SELF].value = o->on_device ? tp_integer(s->device_self_ps, TP_UNIT_PS)
										   : tp_missing(TP_S("no operator launched device work"));
	cell[HOST_SELF].value = tp_integer(s->host_self_ps, TP_UNIT_PS);
	cell[SHARE].value = tp_share((double)tp_torch_op_key_ps(o, s),
		(double)tp_torch_op_key_ps(o, whole), TP_S("it took no time"));
	cell[SHARE].swatch = o->on_device ? TP_HUE_COMPUTE : TP_HUE_HOST;
}

/* Frames that are shown: the outermost ones of the program, then the innermost ones. */
enum { OUTER = 4, INNER = 4, LONGEST_FRAME = 80 };

/* A frame in words. */
struct shown {
	struct tp_slice function; /* "forward" */
	struct tp_slice place;    /* "model.py:12"; empty: a built-in function */
	bool own;                 /* of the program, not of a library */
};

static struct tp_slice
base_name(struct tp_slice path)
{
	for (size_t i = path.len; i-- > 0;) {
		if (path.ptr[i] == '/' || path.ptr[i] == '\\')
			return tp_slice_from(path, i + 1);
	}
	return path;
}

/* Parts of paths that tell libraries, and files of Python's own library, which are written without a folder. */
static bool
is_library(struct tp_slice path)
{
	static const char *const parts[] = {"site-packages/", "dist-packages/", "/lib/python",
		"<frozen", "<string>", "/torch/", "importlib/", "multiprocessing/", "asyncio/",
		"concurrent/", "collections/", NULL};
	static const char *const starts[] = {"torch/", "torchvision/", "torchaudio/", "numpy/",
		"transformers/", "accelerate/", "lightning/", "pytorch_lightning/", "triton/", NULL};
	static const char *const files[] = {"abc.py", "ast.py", "bdb.py", "codecs.py", "contextlib.py",
		"copy.py", "dataclasses.py", "enum.py", "functools.py", "inspect.py", "logging.py",
		"operator.py", "os.py", "pickle.py", "queue.py", "random.py", "re.py", "runpy.py",
		"selectors.py", "socket.py", "string.py", "subprocess.py", "tempfile.py", "threading.py",
		"traceback.py", "types.py", "typing.py", "uuid.py", "warnings.py", "weakref.py", NULL};

	return tp_texts_any(path, tp_slice_has, parts) || tp_texts_any(path, tp_slice_starts, starts) ||
		tp_texts_any(path, tp_slice_eq, files);
}

/* "a/model.py(12): forward" → "forward", "model.py:12"; "<built-in function conv2d>" → "conv2d". */
static struct shown
read_frame(struct tp_arena *keep, struct tp_slice name)
{
	static const char *const built_in[] = {"<built-in function ", "<built-in method "};
	const char *open = name.len == 0 ? NULL : memmem(name.ptr, name.len, ".py(", 4);
	const char *close =
		open == NULL ? NULL : memmem(open, name.len - (size_t)(open - name.ptr), "): ", 3);

	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		if (!tp_slice_starts(name, tp_slice_of(built_in[i])))
			continue;
		struct tp_slice rest = tp_slice_from(name, strlen(built_in[i]));
		size_t end = 0;

		while (end < rest.len && rest.ptr[end] != ' ' && rest.ptr[end] != '>')
			end++;
		return (struct shown){.function = {rest.ptr, end}};
	}
	if (close == NULL)
		return (struct shown){.function = name};
	struct tp_slice path = {name.ptr, (size_t)(open - name.ptr) + 3};
	struct tp_slice line = {open + 4, (size_t)(close - open) - 4};

	return (struct shown){
		.function = tp_slice_from(name, (size_t)(close - name.ptr) + 3),
		.place = tp_arena_printf(keep, "%.*s:%.*s", TP_ARG(base_name(path)), TP_ARG(line)),
		.own = !is_library(path),
	};
}

/* A way through the frames, outermost first, without those between. */
struct line {
	const struct tp_pass_ctx *ctx;
	struct tp_slice outer[OUTER], inner[INNER]; /* inner: a ring, the last ones */
	size_t left_out;                            /* frames that were not looked at */
	size_t count;
};

static void
put(struct line *l, const struct shown *f)
{
	struct tp_slice text = f->place.len == 0
		? f->function
		: tp_arena_printf(l->ctx->scratch, "%.*s %.*s", TP_ARG(f->place), TP_ARG(f->function));

	text = tp_utf8_shorten(l->ctx->scratch, text, LONGEST_FRAME);
	if (l->count < OUTER)
		l->outer[l->count] = text;
	else
		l->inner[(l->count - OUTER) % INNER] = text;
	l->count++;
}

static struct tp_slice
join(const struct line *l)
{
	struct tp_slice all = {NULL, 0};
	size_t skipped = l->count > OUTER + INNER ? l->count - OUTER - INNER : 0;

	for (size_t i = 0; i < l->count; i++) {
		const char *between = i == 0 ? "" : " › ";

		if (i == OUTER && skipped + l->left_out != 0) {
			all = tp_arena_printf(
				l->ctx->scratch, "%.*s › … %zu more …", TP_ARG(all), skipped + l->left_out);
			i += skipped;
		}
		struct tp_slice text = i < OUTER ? l->outer[i] : l->inner[(i - OUTER) % INNER];

		all = tp_arena_printf(l->ctx->scratch, "%.*s%s%.*s", TP_ARG(all), between, TP_ARG(text));
	}
	return all;
}

/* The frames of a stack, outermost first; of a deep one those of either end. */
struct way {
	uint32_t frames[2 * TP_TORCH_STACK_END];
	size_t count;
	size_t outer;    /* the first so many are those of the outer end, … */
	size_t left_out; /* … and so many are missing after them */
};

static void
find_way(const struct tp_torch_frame *frames, uint32_t frame, struct way *w)
{
	uint32_t depth = frames[frame].depth;
	bool deep = depth > 2 * TP_TORCH_STACK_END;

	w->count = deep ? 2 * TP_TORCH_STACK_END : depth;
	w->outer = deep ? TP_TORCH_STACK_END : 0;
	w->left_out = depth - w->count;
	for (size_t i = w->count; i-- > 0;) {
		w->frames[i] = frame;
		frame = deep && i == TP_TORCH_STACK_END ? frames[frame].outer : frames[frame].caller;
	}
}

/* A stack in a line, outermost first: "train.py:34 main › Net_0 › Conv2d_1 › conv2d". Frames of the program itself, modules and
 * the innermost one; frames of libraries where there is no other. Of many the middle is left out. */
static struct tp_slice
stack_text(const struct tp_pass_ctx *ctx, const struct tp_torch_frame *frames, uint32_t frame)
{
	static const struct tp_slice module = {"nn.Module: ", sizeof "nn.Module: " - 1};
	const struct tp_profile *p = ctx->profile;
	struct line l = {.ctx = ctx}, all = {.ctx = ctx};
	struct way w;

	find_way(frames, frame, &w);
	for (size_t i = 0; i < w.count; i++) {
		struct tp_slice name = p->ops[frames[w.frames[i]].op].label;
		struct shown f = read_frame(ctx->scratch, name);
		/* The line of a function that runs is that from which it calls the next. */
		struct tp_slice line = i + 1 < w.count && i + 1 != w.outer
			? tp_string(&p->strings, frames[w.frames[i + 1]].called_from)
			: (struct tp_slice){NULL, 0};

		if (i == w.outer) {
			l.left_out += w.left_out;
			all.left_out += w.left_out;
		}
		if (line.len != 0 && f.place.len != 0)
			f.place = base_name(line);
		if (tp_slice_starts(name, module)) {
			f.function = tp_slice_from(name, module.len);
			f.own = true;
		}
		put(&all, &f);
		if (f.own || i + 1 == w.count)
			put(&l, &f);
	}
	return join(l.count > 1 ? &l : &all);
}

/* The same of what old versions wrote: "a.py(440): f;b.py(12): g", innermost first. */
static struct tp_slice
old_stack_text(const struct tp_pass_ctx *ctx, struct tp_slice stack)
{
	struct line l = {.ctx = ctx}, all = {.ctx = ctx};
	bool innermost = false;

	/* From the end, where the outermost stands. */
	for (size_t end = stack.len; end > 0 && !innermost;) {
		size_t from = end;

		while (from > 0 && stack.ptr[from - 1] != ';')
			from--;
		struct shown f = read_frame(ctx->scratch, (struct tp_slice){stack.ptr + from, end - from});

		innermost = from == 0;
		if (from != end)
			put(&all, &f);
		if (from != end && (f.own || innermost))
			put(&l, &f);
		end = innermost ? 0 : from - 1;
	}
	return join(l.count > 1 ? &l : &all);
}

static struct tp_slice
text_of(
	const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, const struct tp_torch_op_stack *s)
{
	return s->stack != TP_NONE
		? stack_text(ctx, o->frames, s->stack)
		: old_stack_text(ctx, tp_string(&ctx->profile->strings, s->old_stack));
}

/* Stacks that read alike: they differ in frames of libraries. */
struct place {
	struct tp_slice text;
	struct tp_torch_op_sums sums;
	int64_t key_ps;
};

TP_ORDER(by_time, struct place, TP_DOWN(key_ps), TP_DOWN(sums.host_self_ps),
	tp_slice_cmp(a->text, b->text));

/* The places of stacks [from, until), by time; returns how many. */
static size_t
find_places(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, uint32_t from,
	uint32_t until, struct place *places)
{
	size_t count = 0;
	struct tp_map index;

	tp_map_init(&index, ctx->scratch);
	for (uint32_t i = from; i < until; i++) {
		struct tp_slice text = text_of(ctx, o, &o->stacks[i]);
		uint32_t at;

		if (tp_map_number(&index, tp_hash_bytes(text), &at))
			places[count++] = (struct place){.text = text};
		tp_torch_op_sums_add(&places[at].sums, &o->stacks[i].sums);
		places[at].key_ps = tp_torch_op_key_ps(o, &places[at].sums);
	}
	qsort(places, count, sizeof *places, by_time);
	return count;
}

/* Calls that none of the shown places is of. */
static void
list_others(const struct tp_torch_ops *o, struct tp_draft *draft, const struct tp_torch_op_row *op,
	const struct place *places, size_t shown)
{
	struct tp_torch_op_sums others = op->sums;

	for (size_t i = 0; i < shown; i++) {
		others.calls -= places[i].sums.calls;
		others.device_self_ps -= places[i].sums.device_self_ps;
		others.host_self_ps -= places[i].sums.host_self_ps;
	}
	if (others.calls == 0)
		return;
	struct tp_cell *cell = tp_draft_row(draft, op->name, TP_ROW_NORMAL, 1);

	fill(o, &others, &op->sums, cell);
	cell[PLACE].value = tp_text_value(TP_S(text_elsewhere));
}

/* The stacks of one row stand together; returns where those of the next begin. */
static uint32_t
list_row(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_draft *draft,
	uint32_t from)
{
	struct place *places = tp_new_array(ctx->scratch, struct place, MOST_STACKS);
	uint32_t row = o->stacks[from].row, next = from;
	const struct tp_torch_op_row *op = &o->by_name[row];
	struct tp_cell *cell = tp_draft_row(draft, op->name, TP_ROW_GROUP, 0);

	while (next < o->stack_count && o->stacks[next].row == row)
		next++;
	fill(o, &op->sums, &op->sums, cell);
	cell[PLACE].value = tp_text_value(op->name);
	size_t count =
		find_places(ctx, o, from, next - from > MOST_STACKS ? from + MOST_STACKS : next, places);
	size_t shown = count < MOST_PLACES ? count : MOST_PLACES;

	for (size_t i = 0; i < shown; i++) {
		cell = tp_draft_row(draft, op->name, TP_ROW_NORMAL, 1);
		fill(o, &places[i].sums, &op->sums, cell);
		cell[PLACE].value = tp_text_value(tp_arena_copy(ctx->keep, places[i].text));
	}
	list_others(o, draft, op, places, shown);
	return next;
}

void
tp_torch_ops_stacks_present(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o,
	struct tp_doc *doc, struct tp_block *section)
{
	if (!o->has_stacks)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "operators/stacks", title_stacks);
	struct tp_draft draft = tp_draft_table(doc, fold, "operators/stacks/list", columns, COLUMNS);

	fold->section.off_paper = true;
	for (uint32_t at = 0, ops = 0; at < o->stack_count && ops < MOST_OPERATORS; ops++)
		at = list_row(ctx, o, &draft, at);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption = TP_S(caption_stacks);
	tp_table_drop_missing(doc, table, 1);
}
