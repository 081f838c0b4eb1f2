/* Words by which traces of PyTorch are told from others in the same JSON. */
#include "ingest/torch_words.h"

#include "base/texts.h"

/* Categories of torch.profiler, old and new; XLA and TensorFlow give none to their events. */
bool
tp_torch_category(struct tp_slice category)
{
	static const char *const names[] = {"cpu_op", "Operator", "user_annotation",
		"gpu_user_annotation", "python_function", "cuda_runtime", "cuda_driver", "Runtime",
		"kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset", "cpu_instant_event",
		"ac2g", "fwdbwd", "overhead", "Trace", NULL};

	return tp_texts_any(category, tp_slice_eq, names);
}

bool
tp_torch_key(struct tp_slice key)
{
	static const char *const names[] = {"schemaVersion", "deviceProperties", "computeProperties",
		"baseTimeNanoseconds", "distributedInfo", "record_shapes", "profile_memory", "with_stack",
		NULL};

	return tp_texts_any(key, tp_slice_eq, names);
}
