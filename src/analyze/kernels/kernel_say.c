/* What several tables say of a kernel: its name cut to fit, whether it communicates, whether it used tensor cores. */
#include "analyze/kernels/kernels.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <strings.h>

/* In bytes; what is cut ends in an ellipsis. */
enum { LONGEST_NAME = 48 };

struct tp_slice
tp_kernel_fit(struct tp_slice name, struct tp_arena *keep)
{
	if (name.len <= LONGEST_NAME)
		return name;
	return tp_arena_printf(keep, "%.*s…", (int)tp_utf8_fit(name, LONGEST_NAME), name.ptr);
}

bool
tp_kernel_is_collective(struct tp_slice name)
{
	return name.len >= 4 &&
		(strncasecmp(name.ptr, "nccl", 4) == 0 || strncasecmp(name.ptr, "rccl", 4) == 0);
}

struct tp_value
tp_kernel_tensor_cores(enum tp_tensor_core used, bool eligible)
{
	switch (used) {
	case TP_TENSOR_CORE_USED:
		return tp_text_value(TP_S("used"));
	case TP_TENSOR_CORE_NOT_TOLD:
		return tp_text_value(eligible ? TP_S("possible") : TP_S("not told"));
	case TP_TENSOR_CORE_NOT_USED:
		break;
	}
	return tp_text_value(eligible ? TP_S("not used") : TP_S("no"));
}
