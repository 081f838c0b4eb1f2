/* Takes "name:type" apart by the rules of the profiler that wrote it (tf_op_utils.cc of xprof's library): TensorFlow's
 * types begin with a capital letter, JAX's with a small one; a type that is not stated is the last part of the name. */
#include "analyze/facts/framework_name.h"

#include <ctype.h>
#include <strings.h>

/* "MyOp", "scope/MyOp_1", "Namespace>MyOp" */
static bool
is_tensorflow_name(struct tp_slice s)
{
	if (s.len == 0 || !(isalnum((unsigned char)s.ptr[0]) || s.ptr[0] == '.'))
		return false;
	for (size_t i = 1; i < s.len; i++) {
		if (!isalnum((unsigned char)s.ptr[i]) && memchr("_./>-", s.ptr[i], 5) == NULL)
			return false;
	}
	return true;
}

/* "MatMul", "_FusedMatMul" */
static bool
is_tensorflow_type(struct tp_slice s)
{
	if (s.len == 0 || !(isupper((unsigned char)s.ptr[0]) || s.ptr[0] == '_'))
		return false;
	for (size_t i = 1; i < s.len; i++) {
		if (!isalnum((unsigned char)s.ptr[i]) && s.ptr[i] != '_')
			return false;
	}
	return true;
}

/* How long the type is in "dot_general", "transpose[permutation=(0, 1)]"; 0: it is none. */
static size_t
jax_type(struct tp_slice s)
{
	size_t i = 0;

	while (i < s.len &&
		(islower((unsigned char)s.ptr[i]) || s.ptr[i] == '_' ||
			(i > 0 && isdigit((unsigned char)s.ptr[i]))))
		i++;
	if (i == s.len)
		return i;
	return s.ptr[i] == '[' && s.ptr[s.len - 1] == ']' ? i : 0;
}

static struct tp_slice
after_last(struct tp_slice s, char c)
{
	const char *at = s.len != 0 ? memrchr(s.ptr, c, s.len) : NULL;

	return at == NULL ? s : tp_slice_from(s, (size_t)(at - s.ptr) + 1);
}

/* The last part of a name without its number: "model/layer/MatMul_1" → "MatMul". */
static struct tp_slice
type_of_name(struct tp_slice name)
{
	struct tp_slice last = after_last(name, '/'), number = after_last(last, '_');
	size_t digits = 0;

	while (digits < number.len && isdigit((unsigned char)number.ptr[digits]))
		digits++;
	if (number.len == last.len || digits != number.len || digits == 0)
		return last;
	return (struct tp_slice){last.ptr, last.len - number.len - 1};
}

static struct tp_framework_name
copy_name(struct tp_slice text)
{
	static const char *const copies[] = {"MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH"};

	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		struct tp_slice copy = tp_slice_of(copies[i]);

		if (text.len >= copy.len && strncasecmp(text.ptr, copy.ptr, copy.len) == 0)
			return (struct tp_framework_name){TP_FAMILY_COPY, text, copy};
	}
	return (struct tp_framework_name){TP_FAMILY_NONE, text, {NULL, 0}};
}

struct tp_framework_name
tp_framework_name(struct tp_slice text)
{
	const char *colon = text.len != 0 ? memchr(text.ptr, ':', text.len) : NULL;

	if (colon == NULL)
		return copy_name(text);
	struct tp_slice name = {text.ptr, (size_t)(colon - text.ptr)};
	struct tp_slice type = tp_slice_from(text, name.len + 1);

	if (tp_slice_eq(name, TP_S("Iterator")))
		return (struct tp_framework_name){TP_FAMILY_DATASET, text, TP_S("Dataset")};
	if (is_tensorflow_name(name) && is_tensorflow_type(type))
		return (struct tp_framework_name){TP_FAMILY_TENSORFLOW, name, type};
	struct tp_slice derived = type.len != 0 ? type : type_of_name(name);
	size_t length = jax_type(derived);

	if (length != 0)
		return (struct tp_framework_name){TP_FAMILY_JAX, name, {derived.ptr, length}};
	if (type.len == 0)
		return (struct tp_framework_name){TP_FAMILY_TENSORFLOW, name, derived};
	return (struct tp_framework_name){TP_FAMILY_NONE, text, {NULL, 0}};
}

bool
tp_framework_is_wrapper(struct tp_slice name)
{
	return tp_slice_eq(name, TP_S("XlaModule")) || tp_slice_eq(name, TP_S("Thunk"));
}
