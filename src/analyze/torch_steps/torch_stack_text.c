/* Call stacks as a line of text. All that is made on the way is in scratch, the text too. */
#include "analyze/core/ctx.h"
#include "analyze/torch_steps/torch_stacks.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <ctype.h>

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
		"concurrent/", "collections/"};
	static const char *const starts[] = {"torch/", "torchvision/", "torchaudio/", "numpy/",
		"transformers/", "accelerate/", "lightning/", "pytorch_lightning/", "triton/"};
	static const char *const files[] = {"abc.py", "ast.py", "bdb.py", "codecs.py", "contextlib.py",
		"copy.py", "dataclasses.py", "enum.py", "functools.py", "inspect.py", "logging.py",
		"operator.py", "os.py", "pickle.py", "queue.py", "random.py", "re.py", "runpy.py",
		"selectors.py", "socket.py", "string.py", "subprocess.py", "tempfile.py", "threading.py",
		"traceback.py", "types.py", "typing.py", "uuid.py", "warnings.py", "weakref.py"};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (tp_slice_has(path, tp_slice_of(parts[i])))
			return true;
	}
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (tp_slice_starts(path, tp_slice_of(starts[i])))
			return true;
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (tp_slice_eq(path, tp_slice_of(files[i])))
			return true;
	}
	return false;
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

	if (text.len > LONGEST_FRAME)
		text = tp_arena_printf(
			l->ctx->scratch, "%.*s…", (int)tp_utf8_fit(text, LONGEST_FRAME), text.ptr);
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
find_way(const struct tp_torch_stacks *s, uint32_t frame, struct way *w)
{
	uint32_t depth = s->frames[frame].depth;
	bool deep = depth > 2 * TP_TORCH_STACK_END;

	w->count = deep ? 2 * TP_TORCH_STACK_END : depth;
	w->outer = deep ? TP_TORCH_STACK_END : 0;
	w->left_out = depth - w->count;
	for (size_t i = w->count; i-- > 0;) {
		w->frames[i] = frame;
		frame = deep && i == TP_TORCH_STACK_END ? s->frames[frame].outer : s->frames[frame].caller;
	}
}

struct tp_slice
tp_torch_stack_text(const struct tp_pass_ctx *ctx, const struct tp_torch_stacks *s, uint32_t frame)
{
	static const struct tp_slice module = {"nn.Module: ", sizeof "nn.Module: " - 1};
	const struct tp_profile *p = ctx->profile;
	struct line l = {.ctx = ctx}, all = {.ctx = ctx};
	struct way w;

	find_way(s, frame, &w);
	for (size_t i = 0; i < w.count; i++) {
		struct tp_slice name = p->ops[s->frames[w.frames[i]].op].label;
		struct shown f = read_frame(ctx->scratch, name);
		/* The line of a function that runs is that from which it calls the next. */
		struct tp_slice line = i + 1 < w.count && i + 1 != w.outer
			? tp_string(&p->strings, s->frames[w.frames[i + 1]].called_from)
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

struct tp_slice
tp_torch_old_stack_text(const struct tp_pass_ctx *ctx, struct tp_slice stack)
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
