/* An operation in words: its name where room is short, and the operation of the framework that it came from. */
#include "analyze/ops/ops_present.h"

#include "analyze/facts/kernel_name.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"

struct tp_slice
tp_op_short_name(const struct tp_pass_ctx *ctx, struct tp_slice name)
{
	enum { LONGEST = 48 };

	/* A kernel's C++ name would fill lines; the tables have it whole. */
	name = tp_kernel_short_name(name, ctx->keep);
	if (name.len <= LONGEST)
		return name;
	return tp_arena_printf(ctx->keep, "%.*s…", (int)tp_utf8_fit(name, LONGEST), name.ptr);
}

struct tp_slice
tp_op_framework_text(struct tp_slice text)
{
	text.len -= tp_slice_ends(text, TP_S(":"));
	return text;
}
