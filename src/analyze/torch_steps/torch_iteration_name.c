/* How inference engines call their iterations, from their public sources. */
#include "analyze/torch_steps/torch_iteration_name.h"

#include "base/arena.h"
#include "base/texts.h"

#include <ctype.h>
#include <strings.h>

/* What a number in a name is. */
enum field {
	PROMPT_REQUESTS = 'p',
	PROMPT_TOKENS = 'P',
	DECODE_REQUESTS = 'd',
	VERIFIED_REQUESTS = 'v', /* likewise, each with as many tokens as a draft guessed */
	DECODE_TOKENS = 'D',
	/* what else is counted: tokens of both, sums over requests for the cost of attention, the number of the iteration */
	OTHER = '-',
};

/* '%' stands for a number; at the end of what a pattern says the name may go on where it ends in '*'. Beside each where it is from. */
static const struct {
	const char *engine, *pattern;
	const char *fields;            /* enum field, by '%' */
	enum tp_iteration_phase phase; /* where the name itself says it; else the numbers do */
} known[] = {
	/* vLLM 0.14.0 (vllm#31193) to 0.33.0 at least: Worker.annotate_profile (vllm/v1/worker/gpu_worker.py), requests and their tokens */
	{"vLLM", "execute_context_%(%)_generation_%(%)", "pPdD", TP_ITERATION_UNKNOWN},
	/* vLLM 0.11.1 (vllm#22496) to 0.13.0: requests that are new, and those known already */
	{"vLLM", "execute_new_%_cached_%", "pd", TP_ITERATION_UNKNOWN},
	/* vLLM from 0.26.0 with detailed_trace_annotation (vllm#37524): tokens of all; then queries, keys and products of both, summed over
	 * requests. Traces of SGLang have it from a patch that no release holds. */
	{"vLLM", "execute_%_context_%(sq%sk%sqsq%sqsk%)_generation_%(sq%sk%sqsq%sqsk%)", "-pP---dD---",
		TP_ITERATION_UNKNOWN},
	/* SGLang from 0.5.11: build_step_span_name (first in model_executor/model_runner.py, 0.5.16 has it in utils/profile_utils.py), named
	 * after ForwardMode. From 0.5.19 sums for a roofline may follow (sglang#24911), which tell the parts of a mixed one; from 0.5.20
	 * TARGET_VERIFY is VERIFY, and what a draft model runs is DRAFT. */
	{"SGLang", "step[EXTEND bs=% toks=%*", "pP", TP_ITERATION_PREFILL},
	{"SGLang", "step[SPLIT_PREFILL bs=%*", "p", TP_ITERATION_PREFILL},
	{"SGLang", "step[DECODE bs=%*", "d", TP_ITERATION_DECODE},
	{"SGLang", "step[TARGET_VERIFY bs=%*", "v", TP_ITERATION_DECODE},
	{"SGLang", "step[VERIFY bs=%*", "v", TP_ITERATION_DECODE},
	{"SGLang", "step[MIXED bs=% c=% g=% c_sq=% c_sk=% c_sqsq=% c_sqsk=% g_sq=%*", "-pdP---D",
		TP_ITERATION_MIXED},
	{"SGLang", "step[MIXED bs=%*", "-", TP_ITERATION_MIXED},
	{"SGLang", "step[*", "", TP_ITERATION_UNKNOWN},
	/* TensorRT-LLM: PyExecutor._forward_step (tensorrt_llm/_torch/pyexecutor/py_executor.py), the newest first: with tokens of prompts
	 * since TensorRT-LLM#14206 of May 2026; before without them; older sources have no number, the oldest no "[Executor]". */
	{"TensorRT-LLM", "[Executor] _forward_step %: % ctx reqs, % ctx tokens, % gen reqs", "-pPd",
		TP_ITERATION_UNKNOWN},
	{"TensorRT-LLM", "[Executor] _forward_step %: % ctx reqs, % gen reqs", "-pd",
		TP_ITERATION_UNKNOWN},
	{"TensorRT-LLM", "[Executor] _forward_step: % ctx reqs, % gen reqs", "pd",
		TP_ITERATION_UNKNOWN},
	{"TensorRT-LLM", "_forward_step: % ctx reqs, % gen reqs", "pd", TP_ITERATION_UNKNOWN},
	/* ATOM (ATOM#477): ModelRunner.run_model */
	{"ATOM", "prefill[bs=% tok=%*", "pP", TP_ITERATION_PREFILL},
	{"ATOM", "decode[bs=% tok=%*", "dD", TP_ITERATION_DECODE},
	{"ATOM", "decode[bs=%*", "d", TP_ITERATION_DECODE},
};

/* Numbers beyond are no counts of tokens. */
#define LARGEST 1000000000000LL

/* Reads a number at *at; -1: there is none. */
static int64_t
number_at(struct tp_slice name, size_t *at)
{
	int64_t number = -1;

	for (; *at < name.len && isdigit((unsigned char)name.ptr[*at]); (*at)++) {
		number = (number < 0 ? 0 : number) * 10 + (name.ptr[*at] - '0');
		if (number > LARGEST)
			number = LARGEST;
	}
	return number;
}

static int64_t *
field_of(struct tp_iteration_name *n, char field)
{
	switch (field) {
	case PROMPT_REQUESTS:
		return &n->prompt_requests;
	case PROMPT_TOKENS:
		return &n->prompt_tokens;
	case DECODE_REQUESTS:
	case VERIFIED_REQUESTS:
		return &n->decode_requests;
	case DECODE_TOKENS:
		return &n->decode_tokens;
	default:
		return NULL;
	}
}

static bool
fits(struct tp_slice name, const char *pattern, const char *fields, struct tp_iteration_name *out)
{
	size_t at = 0;

	for (; *pattern != '\0' && *pattern != '*'; pattern++) {
		if (*pattern != '%') {
			if (at >= name.len || name.ptr[at++] != *pattern)
				return false;
			continue;
		}
		int64_t number = number_at(name, &at);
		int64_t *field = field_of(out, *fields);

		out->drafted |= *fields++ == VERIFIED_REQUESTS;

		if (number < 0)
			return false;
		if (field != NULL)
			*field = number;
	}
	return *pattern == '*' || at == name.len;
}

static struct tp_iteration_name
nothing(void)
{
	return (struct tp_iteration_name){
		.prompt_requests = -1, .prompt_tokens = -1, .decode_requests = -1, .decode_tokens = -1};
}

static enum tp_iteration_phase
phase_of_numbers(const struct tp_iteration_name *n)
{
	bool prompts = n->prompt_requests > 0, decodes = n->decode_requests > 0;

	return prompts && decodes ? TP_ITERATION_MIXED
		: prompts             ? TP_ITERATION_PREFILL
		: decodes             ? TP_ITERATION_DECODE
							  : TP_ITERATION_UNKNOWN;
}

static bool
has_word(struct tp_slice name, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= name.len; i++) {
		if (strncasecmp(name.ptr + i, word, length) == 0)
			return true;
	}
	return false;
}

static bool
has_any(struct tp_slice name, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (has_word(name, *words))
			return true;
	}
	return false;
}

/* Of names that no engine is known by. */
static enum tp_iteration_phase
phase_of_words(struct tp_slice name)
{
	bool forward = has_any(name, TP_TEXTS("forward", "fwd"));
	bool backward = has_any(name, TP_TEXTS("backward", "bwd"));

	if (has_any(name, TP_TEXTS("optimizer", "optim_", "zero_grad")))
		return TP_ITERATION_OPTIMIZER;
	if (forward != backward)
		return forward ? TP_ITERATION_FORWARD : TP_ITERATION_BACKWARD;
	if (has_word(name, "prefill"))
		return TP_ITERATION_PREFILL;
	return has_word(name, "decode") ? TP_ITERATION_DECODE : TP_ITERATION_UNKNOWN;
}

struct tp_iteration_name
tp_iteration_name(struct tp_slice name)
{
	struct tp_iteration_name n;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		n = nothing();
		if (!fits(name, known[i].pattern, known[i].fields, &n))
			continue;
		n.engine = known[i].engine;
		n.phase = known[i].phase != TP_ITERATION_UNKNOWN ? known[i].phase : phase_of_numbers(&n);
		n.drafted |= n.decode_requests >= 0 && n.decode_tokens > n.decode_requests;
		/* A decode step gives each request a token where nothing else is said. */
		if (n.phase == TP_ITERATION_DECODE && n.decode_tokens < 0 && !n.drafted)
			n.decode_tokens = n.decode_requests;
		return n;
	}
	n = nothing();
	n.phase = phase_of_words(name);
	return n;
}

const char *
tp_iteration_phase_label(enum tp_iteration_phase phase)
{
	switch (phase) {
	case TP_ITERATION_PREFILL:
		return "Prefill";
	case TP_ITERATION_DECODE:
		return "Decode";
	case TP_ITERATION_MIXED:
		return "Mixed";
	case TP_ITERATION_FORWARD:
		return "Forward";
	case TP_ITERATION_BACKWARD:
		return "Backward";
	case TP_ITERATION_OPTIMIZER:
		return "Optimizer";
	case TP_ITERATION_UNKNOWN:
		break;
	}
	return NULL;
}

bool
tp_annotation_of_library(struct tp_slice name)
{
	/* Communication, input, optimizers, wrappers of modules, compilers, graph capture, Lightning's modules, the profiler itself. */
	return tp_texts_any(name, tp_slice_starts,
		TP_TEXTS("nccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:", "c10d::", "record_param_comms",
			"enumerate(DataLoader)", "enumerate(DataPipe)", "Optimizer.", "DistributedDataParallel",
			"DataParallel.", "FullyShardedDataParallel", "FSDP::", "FSDP.", "Torch-Compiled Region",
			"## Call CompiledFxGraph", "CompiledFunction", "CompiledFxGraph", "AOTDispatcher",
			"TorchDynamo", "Pregraph bytecode", "CachingAutotuner", "triton_", "inductor_",
			"pt2_compile", "capture_", "[pl]", "[Strategy]", "[Callback]", "ProfilerStep#",
			"PyTorch Profiler", "aten::", "autograd::"));
}

bool
tp_annotation_is_hook(struct tp_slice name)
{
	return tp_texts_any(name, tp_slice_starts,
		TP_TEXTS("Optimizer.step#", "Optimizer.zero_grad#", "DistributedDataParallel.forward"));
}

struct tp_slice
tp_iteration_pattern(struct tp_slice name, struct tp_arena *keep)
{
	char *text = tp_arena_alloc(keep, name.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.len; i++) {
		bool digit = isdigit((unsigned char)name.ptr[i]);

		if (!digit || n == 0 || i == 0 || !isdigit((unsigned char)name.ptr[i - 1]))
			text[n++] = digit ? '#' : name.ptr[i];
	}
	return (struct tp_slice){text, n};
}
