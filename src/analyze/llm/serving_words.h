/* The fixed texts of the section on iterations of an inference engine. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_SERVING_WORDS_H
#define TP_ANALYZE_SERVING_WORDS_H

/* What it says first. */
static const char text_decode_and_prefill[] = "{}: {} decode of {} and {} prefill of {}, medians.";
static const char text_one_decode[] = "{}: decode, {}.";
static const char text_all_decode[] = "{}, all decode, median {}.";
static const char text_some_decode[] = "{}; {} decode, median {}.";
static const char text_one[] = "{} of {}.";
static const char text_all[] = "{}, median {}.";
static const char text_annotated[] = "Annotations are those of {}. ";
static const char text_by_kernels[] =
	"No annotation marks iterations: they are inferred from the order of kernels, confidence {}; "
	"the shorter and more frequent kind counts as decode. ";
static const char text_without_annotation[] =
	"{} without an annotation and found by their kernels. ";
static const char text_engines[] = "{} run in {}. ";
static const char text_tokens[] = "{} output tokens in {} are {} per second.";
static const char text_no_tokens[] = "Tokens per second are unknown: {}.";

/* Iterations and gaps. */
static const char caption_iterations[] =
	"Iterations by kind. In graphs: device time of kernels that a graph's launch runs, of all";
static const char text_see_steps[] =
	"[Steps](#steps) divide idle time inside iterations by what happens meanwhile: {}.";
static const char text_inside[] = "Idle inside iterations";
static const char text_outside[] = "Outside iterations";
static const char text_all_iterations[] = "all iterations";
static const char text_gap_alt[] =
	"Where the time of all engines from the first iteration to the end of the last goes, %.*s.";
static const char text_gap[] =
	"The host gap of {llm.host_gap_share} is measured between kernels: it is idle time outside "
	"iterations and, inside them, before their first kernel.";
static const char text_families_alt[] =
	"Device time of one iteration of each kind, by family of kernels, on one axis.";
static const char text_other_families[] = "all others";

/* Kernels by family, and the tables of triage. */
static const char title_families[] = "Kernels by family";
static const char caption_families[] = "Device time of iterations by family of kernels";
static const char text_top_family[] = "`{}` takes {} of the device time of iterations; {}.";
static const char text_all_known[] = "every kernel name was recognised";
static const char text_some_unknown[] = "the family of %llu of %u kernel names is unknown";
static const char title_triage[] = "Triage tables";
static const char text_triage[] = "{} with 1 % of the device time or more take {} of it together.";
static const char caption_kernels[] =
	"Kernels and copies with 1 % or more of the device time of iterations";
static const char caption_alone[] =
	"Communication, copies and sampling while nothing else runs on the GPU";
static const char caption_none_alone[] = "No communication, copy or sampling runs alone";
static const char caption_pairs[] =
	"Pairs of kernels on a stream where the second follows the first in at least 95 % of its runs";
static const char caption_no_pairs[] =
	"No kernel nearly always follows another that it could be fused with";
/* With what a kernel that runs alone could overlap. */
static const char text_beside_communication[] =
	"GEMMs of the other half of the tokens, in two micro-batches";
static const char text_beside_copies[] =
	"the iteration before, with a stream of its own and pinned memory";
static const char text_beside_sampling[] =
	"preparation of the next batch by the host, with asynchronous scheduling";

/* Why a figure is missing, … */
static const char why_none_of_kind[] = "no iteration is of this kind";
static const char why_no_device_time[] = "no device work took time";
static const char why_no_time[] = "it took no time";
static const char why_no_length[] = "iterations have no length";
static const char why_none[] = "there is none";
static const char why_no_device_work[] = "no device work was recorded";
static const char why_no_gap[] = "none of them is followed by another";
static const char why_none_follows[] = "no iteration follows another";
static const char why_no_decode[] = "no iteration is decode";
static const char why_no_decode_follows[] = "no iteration that decodes follows another";
static const char why_all_replayed[] = "all of them replay graphs";
static const char why_no_names[] = "they are inferred from the order of kernels";
static const char why_their_names[] = "their names do not say";
static const char why_names[] = "names do not say";
static const char why_speculative[] =
	"decoding is speculative, and names do not say how many draft tokens are accepted";
static const char why_no_annotation[] =
	"the capture holds no annotations, which say how many requests an iteration has";
static const char why_names_of_iterations[] =
	"names of iterations do not say how many requests each has";
/* … or the whole section. */
static const char why_no_phase[] = "kernels repeat in iterations, but %s";
static const char why_no_iteration[] =
	"no annotation and no order of kernels shows iterations of an inference engine";

/* How figures are computed. */
static const char how_serving[] =
	"An iteration lasts from its annotation's start until the device work that it launched has "
	"ended; of a capture without annotations from its first kernel to its last. Host gap: from the "
	"last device work of an iteration to the first of the next. Requests and tokens are what names "
	"say: vLLM `execute_context_R(T)_generation_R(T)`, SGLang step[EXTEND bs=R toks=T] and "
	"step[DECODE bs=R], TensorRT-LLM `_forward_step`: R ctx reqs, R gen reqs. Each request that is "
	"decoded, and each prompt, counts as one output token; with speculative decoding, no name says "
	"how many draft tokens are accepted. Engines in one trace each produce their own tokens; the "
	"ranks of one engine produce the same tokens together. Kernel times are sums over streams. "
	"Families come from kernel names. Alone: while nothing else runs on the GPU. A pair can be "
	"fused where the second kernel follows the first in 95 % of its runs or more; it saves at most "
	"the time of the shorter one. Rows share kernels, so savings do not add up.";
static const char source_serving[] = "annotations, calls that launch, GPU-stream work";

#endif
