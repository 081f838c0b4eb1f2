/* Read whole by jansson: such answers are bounded. */
#include "io/json_texts.h"

#include "base/arena.h"

#include <stdlib.h>

#include <jansson.h>

static struct tp_slice
text_of(struct tp_arena *arena, const json_t *value)
{
	if (json_is_string(value))
		return tp_arena_copy(
			arena, (struct tp_slice){json_string_value(value), json_string_length(value)});
	if (json_is_integer(value))
		return tp_arena_printf(arena, "%lld", (long long)json_integer_value(value));
	return (struct tp_slice){"", 0};
}

static void
fill(struct tp_arena *arena, const json_t *object, struct tp_json_text *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fields[i].value = text_of(arena, json_object_get(object, fields[i].name));
}

static json_t *
read_object(struct tp_slice text)
{
	json_t *object = json_loadb(text.ptr != NULL ? text.ptr : "", text.len, 0, NULL);

	if (json_is_object(object))
		return object;
	json_decref(object);
	return NULL;
}

bool
tp_json_texts(
	struct tp_arena *arena, struct tp_slice text, struct tp_json_text *fields, size_t count)
{
	json_t *object = read_object(text);

	fill(arena, object, fields, count);
	json_decref(object);
	return object != NULL;
}

bool
tp_json_object(struct tp_arena *arena, struct tp_slice text, const char *member,
	struct tp_json_text *fields, size_t count)
{
	json_t *object = read_object(text), *inner = json_object_get(object, member);
	bool is = json_is_object(inner);

	fill(arena, inner, fields, count);
	json_decref(object);
	return is;
}

bool
tp_json_list(struct tp_arena *arena, struct tp_slice text, const char *list,
	struct tp_json_text *fields, size_t count, void (*see)(void *with), void *with)
{
	json_t *object = read_object(text), *items = json_object_get(object, list);

	for (size_t i = 0; i < json_array_size(items); i++) {
		fill(arena, json_array_get(items, i), fields, count);
		see(with);
	}
	json_decref(object);
	return object != NULL;
}

static struct tp_slice
dumped(struct tp_arena *arena, const json_t *value)
{
	char *text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	struct tp_slice kept =
		text != NULL ? tp_arena_copy(arena, tp_slice_of(text)) : (struct tp_slice){"", 0};

	free(text);
	return kept;
}

struct tp_slice
tp_json_with(
	struct tp_arena *arena, struct tp_slice text, const struct tp_json_text *fields, size_t count)
{
	json_t *object = read_object(text);

	for (size_t i = 0; object != NULL && i < count; i++) {
		if (fields[i].value.len != 0)
			json_object_set_new(
				object, fields[i].name, json_stringn(fields[i].value.ptr, fields[i].value.len));
	}
	struct tp_slice kept = dumped(arena, object);

	json_decref(object);
	return kept;
}

struct tp_slice
tp_json_member(struct tp_arena *arena, struct tp_slice text, const char *member)
{
	json_t *object = read_object(text);
	struct tp_slice kept = dumped(arena, json_object_get(object, member));

	json_decref(object);
	return kept;
}

void
tp_json_each(struct tp_slice text, const char *member,
	void (*see)(void *with, const char *name, struct tp_slice value), void *with)
{
	json_t *object = read_object(text), *value;
	const char *name;

	json_object_foreach(json_object_get(object, member), name, value)
	{
		if (json_is_string(value))
			see(with, name, (struct tp_slice){json_string_value(value), json_string_length(value)});
	}
	json_decref(object);
}

struct tp_slice
tp_json_object_of(
	struct tp_arena *arena, const struct tp_json_text *fields, size_t texts, size_t numbers)
{
	json_t *object = json_object();

	for (size_t i = 0; i < texts + numbers; i++) {
		struct tp_slice value = fields[i].value;

		if (value.len != 0)
			json_object_set_new(object, fields[i].name,
				i < texts ? json_stringn(value.ptr, value.len)
						  : json_integer(strtoll(value.ptr, NULL, 10)));
	}
	struct tp_slice kept = dumped(arena, object);

	json_decref(object);
	return kept;
}
