/* Which words are public. Families of names are made up of known parts, so their members need not be listed. */
#include "redact/public_words.h"

#include <ctype.h>
#include <strings.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/utf8.h"
#include "redact/words.h"

struct tp_public {
	struct tp_strings words, parts;
	/* Words that were looked up, and what came of it, by id: the same few stand in a report again and again. A word that was not public may be
	 * since one was added. */
	struct tp_strings looked;
	uint32_t *said; /* 0: nothing yet; PUBLIC; else what `added` was when it was not */
	uint32_t room, added;
};

enum { PUBLIC = 1 };

/* Names with one of these at an end are of a family. Who gives them: xla/service/fusion_*.cc, torch/_inductor/codegen/triton.py, the
 * kernels of cuBLAS, cuDNN, CUTLASS, NCCL, RCCL, composable_kernel, MIOpen; those of Tensile, MIOpen's igemm and nvjet are made up of codes. */
static const struct {
	const char *start, *end; /* NULL: any */
	bool codes;              /* the rest may be anything */
} families[] = {
	{.end = "_fusion"},
	{.start = "wrapped_"},
	{.start = "fused_"},
	{.start = "gemm_fusion_"},
	{.start = "triton_gemm_"},
	{.start = "triton_softmax_"},
	{.start = "triton_poi_fused_"},
	{.start = "triton_red_fused_"},
	{.start = "triton_per_fused_"},
	{.start = "triton_tem_fused_"},
	{.start = "triton_for_fused_"},
	{.start = "volta_"},
	{.start = "turing_"},
	{.start = "ampere_"},
	{.start = "hopper_"},
	{.start = "sm50_"},
	{.start = "sm70_"},
	{.start = "sm75_"},
	{.start = "sm80_"},
	{.start = "sm86_"},
	{.start = "sm90_"},
	{.start = "sm100_"},
	{.start = "cutlass_"},
	{.start = "cudnn_"},
	{.start = "cublas"},
	{.start = "gemm"},
	{.start = "gemv"},
	{.start = "implicit_"},
	{.start = "explicit_"},
	{.start = "winograd_"},
	{.start = "fft2d_"},
	{.start = "ncclKernel_"},
	{.start = "ncclDevKernel_"},
	{.start = "rcclKernel_"},
	{.start = "batched_transpose_"},
	{.start = "transpose_"},
	{.start = "kernel_batched_gemm_"},
	{.start = "kernel_grouped_conv_"},
	{.start = "igemm_fwd_gtc", .codes = true},
	{.start = "igemm_bwd_gtc", .codes = true},
	{.start = "igemm_wrw_gtc", .codes = true},
	{.start = "nvjet_", .codes = true},
	{.start = "Cijk_", .codes = true},
};

static const char *const spaces[] = {
	"aten",
	"at",
	"c10",
	"c10d",
	"prim",
	"prims",
	"autograd",
	"std",
	"cub",
	"thrust",
	"cutlass",
	"cute",
	"cudnn",
	"cublas",
	"rocprim",
	"hipcub",
	"ck",
	"Eigen",
	"tensorflow",
	"tsl",
	"xla",
	"Iterator",
};

static const char *const packages[] = {
	"torch",
	"torchvision",
	"jax",
	"jaxlib",
	"flax",
	"optax",
	"tensorflow",
	"keras",
	"numpy",
};

static void
add_list(struct tp_strings *set, const char *words)
{
	for (; *words != '\0'; words += strlen(words) + 1)
		tp_intern(set, tp_slice_of(words));
}

static bool
is_in(const struct tp_strings *set, struct tp_slice word)
{
	return tp_strings_find(set, word) != TP_MAP_NONE;
}

struct tp_public *
tp_public_new(struct tp_arena *arena)
{
	struct tp_public *p = tp_new(arena, struct tp_public);

	tp_strings_init(&p->words, arena);
	tp_strings_init(&p->parts, arena);
	tp_strings_init(&p->looked, arena);
	p->added = PUBLIC + 1;
	add_list(&p->words, tp_public_words);
	add_list(&p->parts, tp_public_parts);
	return p;
}

void
tp_public_add(struct tp_public *p, struct tp_slice word)
{
	char room[TP_WORD_MOST];

	if (tp_public_has(p, word))
		return;
	tp_intern_copy(&p->words, tp_word_folded(word, room));
	p->added++;
}

/* 16, 10_25, 128x64, 16x16x1, 2u, 80GB; dimensions of a convolution in HLO: b01f, 01io. */
static bool
is_number(struct tp_slice word)
{
	size_t at = 0, letters = 0;

	while (at < word.len &&
		(isdigit((unsigned char)word.ptr[at]) || word.ptr[at] == '_' ||
			(at > 0 && at + 1 < word.len && word.ptr[at] == 'x' &&
				isdigit((unsigned char)word.ptr[at + 1]))))
		at++;
	if (at > 0 && isdigit((unsigned char)word.ptr[0])) {
		while (at + letters < word.len && isalpha((unsigned char)word.ptr[at + letters]))
			letters++;
		if (at + letters == word.len && letters <= 3)
			return true;
	}
	size_t dims = 0, digits = 0;

	while (dims < word.len && strchr("0123456789biof_", word.ptr[dims]) != NULL)
		digits += isdigit((unsigned char)word.ptr[dims++]) != 0;
	return dims == word.len && digits != 0;
}

static struct tp_slice
without_number(struct tp_slice word)
{
	while (word.len > 0 &&
		(isdigit((unsigned char)word.ptr[word.len - 1]) || word.ptr[word.len - 1] == '_'))
		word.len--;
	return word;
}

static struct tp_slice
without_ends(struct tp_slice word)
{
	word = without_number(word);
	while (word.len > 0 && *word.ptr == '_')
		word = tp_slice_from(word, 1);
	return word;
}

/* The next part of a word that _ joins, without digits, in room; false at the end. */
static bool
next_part(struct tp_slice word, size_t *at, char room[static TP_WORD_MOST], struct tp_slice *part)
{
	size_t length = 0;

	if (*at >= word.len)
		return false;
	for (; *at < word.len && word.ptr[*at] != '_'; ++*at) {
		if (!isdigit((unsigned char)word.ptr[*at]) && length < TP_WORD_MOST)
			room[length++] = word.ptr[*at];
	}
	++*at;
	*part = (struct tp_slice){room, length};
	return true;
}

static bool
has_parts(const struct tp_strings *set, size_t least, struct tp_slice folded)
{
	char room[TP_WORD_MOST];
	struct tp_slice part;

	for (size_t at = 0; next_part(folded, &at, room, &part);) {
		if (part.len >= least && !is_in(set, part))
			return false;
	}
	return true;
}

static bool
starts(struct tp_slice word, const char *with)
{
	return word.len > strlen(with) && strncasecmp(word.ptr, with, strlen(with)) == 0;
}

static bool
ends(struct tp_slice word, const char *with)
{
	size_t length = strlen(with);

	return word.len > length && strncasecmp(word.ptr + word.len - length, with, length) == 0;
}

static bool
is_of_family(const struct tp_public *p, struct tp_slice folded)
{
	struct tp_slice plain = without_ends(folded);

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t head = families[i].start != NULL ? strlen(families[i].start) : 0;

		if ((head == 0 || starts(folded, families[i].start)) &&
			(families[i].end == NULL || ends(plain, families[i].end)) &&
			(families[i].codes || has_parts(&p->parts, 3, tp_slice_from(folded, head))))
			return true;
	}
	return false;
}

/* "addmmbackward0": a node that derivatives.yaml gives; that of a user's own function has no number. */
static bool
is_backward(const struct tp_public *p, struct tp_slice folded)
{
	struct tp_slice plain = without_ends(folded);

	return plain.len < folded.len && ends(plain, "backward") &&
		is_in(&p->words, (struct tp_slice){plain.ptr, plain.len - strlen("backward")});
}

/* One character. */
static bool
is_short(struct tp_slice word)
{
	size_t length = 0;

	if (word.len > 1)
		tp_utf8_next(word, &length);
	return length == word.len || word.len <= 1;
}

static bool is_public(const struct tp_public *p, struct tp_slice folded);

/* "jit_multiply", a program that JAX names after a function; "Relu_grad", a scope of TensorFlow's gradients. */
static bool
is_named_after(const struct tp_public *p, struct tp_slice folded)
{
	static const char before[] = "jit_", behind[] = "_grad";
	struct tp_slice plain = without_ends(folded);

	return (starts(folded, before) && is_public(p, tp_slice_from(folded, sizeof before - 1))) ||
		(ends(plain, behind) &&
			is_public(p, (struct tp_slice){plain.ptr, plain.len - (sizeof behind - 1)}));
}

static bool
is_public(const struct tp_public *p, struct tp_slice folded)
{
	return is_named_after(p, folded) || is_short(folded) || is_number(folded) ||
		is_in(&p->words, folded) || is_in(&p->words, without_number(folded)) ||
		is_in(&p->words, without_ends(folded)) || without_ends(folded).len <= 1 ||
		is_backward(p, folded) || is_of_family(p, folded);
}

static uint32_t *
said_of(struct tp_public *p, struct tp_slice folded)
{
	uint32_t id = tp_intern_copy(&p->looked, folded);

	if (id >= p->room) {
		uint32_t room = p->room != 0 ? 2 * p->room : 1024;
		uint32_t *more = tp_new_array(p->looked.arena, uint32_t, room);

		if (p->room != 0)
			memcpy(more, p->said, p->room * sizeof *more);
		p->said = more;
		p->room = room;
	}
	return &p->said[id];
}

bool
tp_public_has(struct tp_public *p, struct tp_slice word)
{
	char room[TP_WORD_MOST];
	struct tp_slice folded = tp_word_folded(word, room);

	uint32_t *said = said_of(p, folded);

	if (*said != PUBLIC && *said != p->added)
		*said = is_public(p, folded) ? PUBLIC : p->added;
	return *said == PUBLIC;
}

bool
tp_public_has_parts(struct tp_public *p, struct tp_slice word)
{
	char room[TP_WORD_MOST];

	return tp_public_has(p, word) || has_parts(&p->words, 2, tp_word_folded(word, room));
}

static bool
is_listed(struct tp_slice word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tp_slice_eq(word, tp_slice_of(list[i])))
			return true;
	}
	return false;
}

bool
tp_public_space(struct tp_slice word)
{
	return is_listed(word, spaces, sizeof spaces / sizeof *spaces);
}

bool
tp_public_package(struct tp_slice word)
{
	return is_listed(word, packages, sizeof packages / sizeof *packages);
}
