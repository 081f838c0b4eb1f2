/* One walk over the name, counting brackets: what stands outside of all of them, before the parameters, is the function. */
#include "analyze/facts/kernel_name.h"

#include "base/arena.h"
#include "base/texts.h"

#include <ctype.h>
#include <string.h>

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The byte after the bracket that closes the one at `at`; the end when none does. */
static size_t
skip_brackets(struct tp_slice s, size_t at)
{
	size_t depth = 0;

	for (; at < s.len; at++) {
		char c = s.ptr[at];

		if (c == '<' || c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == '>' && (at == 0 || s.ptr[at - 1] != '-')) || c == ')' || c == ']' ||
			c == '}')
			depth--;
		if (depth == 0)
			return at + 1;
	}
	return s.len;
}

struct parts {
	struct tp_slice scope;     /* what is before it: "b" */
	struct tp_slice name;      /* the last of "a::b::name" */
	struct tp_slice arguments; /* of the template, without brackets; empty: none */
};

/* Reads from the start to the parameters, or to `stop` outside of brackets. */
static struct parts
split(struct tp_slice s, char stop)
{
	struct parts p = {0};
	size_t at = 0;

	while (at < s.len) {
		char c = s.ptr[at];

		if (is_word(c)) {
			size_t from = at;

			while (at < s.len && is_word(s.ptr[at]))
				at++;
			bool scoped = from >= 2 && s.ptr[from - 1] == ':' && s.ptr[from - 2] == ':';

			p.scope = scoped ? p.name : (struct tp_slice){NULL, 0};
			p.name = (struct tp_slice){s.ptr + from, at - from};
			p.arguments = (struct tp_slice){NULL, 0};
		} else if (c == '<') {
			size_t end = skip_brackets(s, at);

			p.arguments = (struct tp_slice){s.ptr + at + 1, end - at - 2 + (end == s.len)};
			at = end;
		} else if (c == stop ||
			(c == '(' && !tp_slice_starts(tp_slice_from(s, at), TP_S("(anonymous")))) {
			break;
		} else {
			at = c == '(' || c == '[' || c == '{' ? skip_brackets(s, at) : at + 1;
		}
	}
	return p;
}

/* A length and as many bytes, "6native", of a mangled name; empty: there is none here. *at: behind it. */
static struct tp_slice
counted_name(struct tp_slice s, size_t *at)
{
	size_t length = 0, digits = 0;

	while (*at + digits < s.len && isdigit((unsigned char)s.ptr[*at + digits]) && length < s.len)
		length = length * 10 + (size_t)(s.ptr[*at + digits++] - '0');
	if (digits == 0 || length == 0 || length > s.len - *at - digits)
		return (struct tp_slice){NULL, 0};
	*at += digits + length;
	return (struct tp_slice){s.ptr + *at - length, length};
}

/* All kernels of ck_tile have this name; what it runs is an argument, behind the target ("gfx950_t") and numbers. */
static bool
is_kentry(struct tp_slice name)
{
	return tp_slice_eq(name, TP_S("kentry"));
}

/* The first class among mangled arguments, "ILi2ENS_13FmhaFwdKernel…" → "FmhaFwdKernel"; empty: none is found. */
static struct tp_slice
mangled_class(struct tp_slice s, size_t at)
{
	struct tp_slice none = {NULL, 0}, name;

	for (at += at < s.len && s.ptr[at] == 'I'; at < s.len;) {
		struct tp_slice rest = tp_slice_from(s, at);

		if (tp_slice_starts(rest, TP_S("Li"))) {
			for (at += 2; at < s.len && s.ptr[at] != 'E';)
				at++;
		} else if (tp_slice_starts(rest, TP_S("NS_"))) {
			at += 3;
			name = counted_name(s, &at);
			if (!tp_slice_starts(name, TP_S("gfx")))
				return name;
		} else {
			return none;
		}
		at++;
	}
	return none;
}

/* "_ZN6native6kernelIfEEv…" → "kernel": the last of the lengths and names. */
static struct tp_slice
unmangled(struct tp_slice s)
{
	struct tp_slice last = {NULL, 0}, name;
	size_t at = tp_slice_starts(s, TP_S("_ZN")) ? 3 : 2;

	while ((name = counted_name(s, &at)).len != 0)
		last = name;
	if (is_kentry(last) && (name = mangled_class(s, at)).len != 0)
		return name;
	return last.len != 0 ? last : s;
}

/* How well a name among the arguments says what is computed; 0: not at all. */
static int
rank_of(struct tp_slice word)
{
	bool op = tp_slice_ends(word, TP_S("Op")) || tp_slice_ends(word, TP_S("_op"));

	if ((tp_slice_starts(word, TP_S("scalar_")) && op) || tp_slice_has(word, TP_S("unctor")) ||
		tp_slice_ends(word, TP_S("_kernel_cuda")))
		return 3;
	if (tp_slice_starts(word, TP_S("scalar_"))) /* Eigen: one operand is a constant */
		return 2;
	return op && !tp_slice_has(word, TP_S("Assign")) ? 1 : 0;
}

/* The first of the best. */
static struct tp_slice
functor(struct tp_slice arguments)
{
	struct tp_slice best = {NULL, 0};
	int rank = 0;

	for (size_t at = 0; at < arguments.len && rank < 3;) {
		size_t from = at;

		while (at < arguments.len && is_word(arguments.ptr[at]))
			at++;
		struct tp_slice word = {arguments.ptr + from, at - from};

		if (rank_of(word) > rank) {
			best = word;
			rank = rank_of(word);
		}
		at += at == from;
	}
	return best;
}

/* Names that say nothing: the kernel only holds what its first argument names, or its scope does. */
static bool
is_empty_name(struct tp_slice name)
{
	return tp_texts_any(
		name, tp_slice_eq, TP_TEXTS("Kernel", "Kernel2", "device_kernel", "kernel"));
}

/* A type that a kernel is held by is a class: "GemmUniversal", "cutlass_80_…"; "int" and "4" are not. */
static bool
is_class(struct tp_slice argument)
{
	return argument.len > strlen("unsigned") && !isdigit((unsigned char)argument.ptr[0]);
}

/* The same of arguments in words. */
static struct tp_slice
class_among(struct tp_slice arguments)
{
	while (arguments.len != 0) {
		struct tp_slice name = split(arguments, ',').name;
		size_t at = 0;

		if (is_class(name) && !tp_slice_starts(name, TP_S("gfx")))
			return name;
		while (at < arguments.len && arguments.ptr[at] != ',')
			at = strchr("<([{", arguments.ptr[at]) != NULL ? skip_brackets(arguments, at) : at + 1;
		arguments = tp_slice_from(arguments, at + (at < arguments.len));
	}
	return arguments;
}

struct tp_slice
tp_kernel_short_name(struct tp_slice kernel, struct tp_arena *arena)
{
	static const char *const ends[] = {".kd", " [clone .kd]"};
	struct tp_slice whole = kernel;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (tp_slice_ends(whole, tp_slice_of(ends[i])))
			whole.len -= strlen(ends[i]);
	}
	if (tp_slice_starts(whole, TP_S("_Z")))
		return unmangled(whole);
	if (tp_slice_starts(whole, TP_S("void ")))
		whole = tp_slice_from(whole, strlen("void "));
	/* Names of HLO and of libraries ("Cijk_…", "fusion.12") are not C++. */
	if (!tp_slice_has(whole, TP_S("(")) && !tp_slice_has(whole, TP_S("<")) &&
		!tp_slice_has(whole, TP_S("::")))
		return whole;
	struct parts p = split(whole, '\0');

	if (p.name.len == 0)
		return whole;
	if (is_empty_name(p.name)) {
		struct parts first = split(p.arguments, ',');

		if (is_class(first.name))
			return first.name;
		return p.scope.len == 0
			? p.name
			: tp_arena_printf(arena, "%.*s::%.*s", TP_ARG(p.scope), TP_ARG(p.name));
	}
	if (is_kentry(p.name)) {
		struct tp_slice held = class_among(p.arguments);

		return held.len != 0 ? held : p.name;
	}
	struct tp_slice work = functor(p.arguments);

	if (work.len == 0)
		return p.name;
	return tp_arena_printf(arena, "%.*s<%.*s>", TP_ARG(p.name), TP_ARG(work));
}
