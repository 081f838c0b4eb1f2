/* What Lightning's PyTorchProfiler records: "[pl][profile]<action>" around each hook, "[pl][module]<type>: <dotted.name>" around
 * each call of a module. Up to torch 1.11 they are operators, later user annotations.
 * Source: lightning/pytorch/profilers/pytorch.py (_PROFILER_PREFIX, RegisterRecordFunction). */
#include "analyze/torch/modules/torch_modules.h"

#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

static const struct tp_slice hook_prefix = TP_S("[pl][profile]"),
							 module_prefix = TP_S("[pl][module]");

/* "torch.nn.modules.linear.Linear: enc.0" as "enc.0: Linear". */
static struct tp_slice
module_name(struct tp_slice name, struct tp_arena *keep)
{
	const char *colon = memchr(name.ptr, ':', name.len);
	size_t at = colon == NULL ? name.len : (size_t)(colon - name.ptr);
	struct tp_slice type = {name.ptr, at};
	const char *dot = memrchr(type.ptr, '.', type.len);

	if (at + 2 >= name.len || name.ptr[at + 1] != ' ')
		return name;
	if (dot != NULL)
		type = tp_slice_from(type, (size_t)(dot - type.ptr) + 1);
	return tp_arena_printf(keep, "%.*s: %.*s", TP_ARG(tp_slice_from(name, at + 2)), TP_ARG(type));
}

struct tp_torch_lightning
tp_torch_lightning(const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_lightning l = {
		.marks = tp_new_array(scratch, bool, p->op_count),
		.modules = tp_new_array(scratch, uint32_t, p->op_count),
		.hooks = tp_new_array(scratch, uint32_t, p->op_count),
	};

	for (uint32_t i = 0; i < p->op_count; i++) {
		l.module_count += tp_slice_starts(p->ops[i].label, module_prefix);
		l.hook_count += tp_slice_starts(p->ops[i].label, hook_prefix);
	}
	l.module_names = tp_new_array(scratch, struct tp_slice, l.module_count + 1);
	l.hook_names = tp_new_array(scratch, struct tp_slice, l.hook_count + 1);
	l.module_count = l.hook_count = 0;
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name = p->ops[i].label;

		l.marks[i] = tp_slice_starts(name, module_prefix) || tp_slice_starts(name, hook_prefix);
		if (tp_slice_starts(name, module_prefix)) {
			l.modules[i] = ++l.module_count;
			l.module_names[l.module_count] =
				module_name(tp_slice_from(name, module_prefix.len), keep);
		} else if (tp_slice_starts(name, hook_prefix)) {
			l.hooks[i] = ++l.hook_count;
			l.hook_names[l.hook_count] = tp_slice_from(name, hook_prefix.len);
		}
	}
	return l;
}
