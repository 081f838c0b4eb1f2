/* What classes of input operations and stages of a tf.data pipeline are called, and what helps when they are slow. */
#include "analyze/input/input_pipeline.h"

const struct tp_input_class_info *tp_input_class_info(enum tp_input_class class)
{
	static const struct tp_input_class_info infos[TP_INPUT_CLASS_COUNT] = {
		[TP_INPUT_ENQUEUE] = {"enqueue", "input.host.enqueue_us", "Enqueuing data",
			"enqueuing data",
			"self time of operations that send input to the device: InfeedEnqueue, MemcpyHToD",
			"fewer, larger transfers: join small tensors before sending"},
		[TP_INPUT_PREPROCESSING] = {"preprocessing", "input.host.preprocessing_us", "Preprocessing",
			"preprocessing",
			"time of tf.data stages that read no files, including Python generators and waiting "
			"buffers",
			"map in parallel (num_parallel_calls), or do the work once before training"},
		[TP_INPUT_ADVANCED_READ] = {"advanced_read", "input.host.advanced_read_us",
			"Reading in advance", "reading in advance",
			"time of tf.data stages that read files below a prefetching stage",
			"read more at once: cycle_length of interleave, prefetch size, buffer_size of the reader"},
		[TP_INPUT_DEMANDED_READ] = {"demanded_read", "input.host.demanded_read_us",
			"Reading on demand", "reading on demand",
			"time of tf.data stages that read files on demand",
			"read ahead: prefetch, interleave with num_parallel_calls, a reader buffer"},
		[TP_INPUT_OTHER] = {"other", "input.host.other_us", "Other input work", "other input work",
			"all other input time", "build the input with tf.data to see its stages"},
	};

	return &infos[class];
}

static const struct {
	const char *label, *advice; /* advice: markup */
} words[TP_ITERATOR_KIND_COUNT] = {
	[TP_ITERATOR_ROOT] = {"the consumer's call",
		"The call itself takes the time, not a stage below it: use larger batches and so fewer "
		"calls."},
	[TP_ITERATOR_FILE] = {"reads files",
		"Read several files at once, `ds.interleave(…, num_parallel_calls=tf.data.AUTOTUNE)`, from "
		"storage close to the host, and give the reader a larger `buffer_size`."},
	[TP_ITERATOR_MEMORY] = {"takes tensors from memory",
		"The source is already in memory: yield fewer, larger elements, for instance whole "
		"batches."},
	[TP_ITERATOR_GENERATOR] = {"runs Python",
		"Python yields one element at a time and holds the GIL: write the data to files (TFRecord) "
		"and read them in parallel; or run several generators in parallel with `interleave`, or "
		"yield whole batches."},
	[TP_ITERATOR_SERVICE] = {"tf.data service",
		"The tf.data service workers deliver late: profile one, add workers, or move less data."},
	[TP_ITERATOR_REMOTE] = {"remote source",
		"The remote source delivers late: profile its host, and request more at once."},
	[TP_ITERATOR_SERIAL] = {"one element at a time",
		"It works on one element at a time: set `num_parallel_calls=tf.data.AUTOTUNE`; `cache()` "
		"what fits in memory and is not random, or do the work once before training."},
	[TP_ITERATOR_SEQUENTIAL] = {"inherently sequential",
		"It has no parallel version: run several copies of the pipeline over parts of the files "
		"and `interleave` them, or `cache()` its result if nothing before it is random."},
	[TP_ITERATOR_PARALLEL] = {"several at once",
		"It already works on several elements at once: give it more threads, make its function "
		"cheaper (vectorise it over a batch), or do its work once before training."},
	[TP_ITERATOR_BUFFER] = {"keeps elements ready",
		"It had no element ready when asked, or no core to hand it over: what fills it started too "
		"late or is too slow. Check the stages below it, and whether all host cores are busy."},
	[TP_ITERATOR_CACHE] = {"caches",
		"It is filling or reading a cache: after the first epoch this should be short."},
	[TP_ITERATOR_FORWARD] = {"takes batches from another pipeline",
		"It waits for the pipeline that makes the batches: look at the host that runs it."},
	[TP_ITERATOR_OTHER] = {"passes elements on",
		"See what it does to each element, and whether it can do so in advance or in parallel."},
};

/* Parallel in kind, but with one thread. */
static bool
alone(const struct tp_stage *stage)
{
	return stage->kind == TP_ITERATOR_PARALLEL && stage->parallelism == 1;
}

const char *
tp_stage_label(const struct tp_stage *stage)
{
	return words[alone(stage) ? TP_ITERATOR_SERIAL : stage->kind].label;
}

const char *
tp_stage_advice(const struct tp_stage *stage)
{
	return words[alone(stage) ? TP_ITERATOR_SERIAL : stage->kind].advice;
}
