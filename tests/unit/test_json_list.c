/* Where lists end: the same as a walk byte by byte finds. */
#include "unit.h"

#include "codec/json_list.h"

static const char *
walked(const char *at, const char *end)
{
	char open[TP_JSON_DEEPEST_LIST];
	size_t depth = 0;
	bool inside = false;

	for (; at != end; at++) {
		if (*at == '"')
			inside = !inside;
		if (inside || *at == '\0' || strchr("[]{}", *at) == NULL)
			continue;
		if (*at == '[' || *at == '{') {
			if (depth == sizeof open)
				return NULL;
			open[depth++] = *at;
		} else if (open[--depth] != (*at == ']' ? '[' : '{')) {
			return NULL;
		} else if (depth == 0) {
			return at + 1;
		}
	}
	return NULL;
}

static void
agree(const char *text, size_t length)
{
	enum { BLOCK = 16 };
	char room[1024];

	memset(room, ' ', sizeof room);
	memcpy(room, text, length);
	const char *want = walked(room, room + length);
	const char *got = tp_json_behind_list(room, room + length + BLOCK);
	size_t seen = want == NULL ? length : (size_t)(want - room) + BLOCK;

	/* Where there is a backslash it need not find the end. */
	if (got != want && (got != NULL || memchr(room, '\\', seen) == NULL))
		fail_msg("%.*s: the end is at %td, want %td", (int)length, text,
			got == NULL ? -1 : got - room, want == NULL ? -1 : want - room);
}

static void
lists_end_where_their_brackets_do(void **state)
{
	static const char *const lists[] = {"[]", "[[], []]", "[[4096, 16, 4, 1], [], [[1]], [2]], 7]",
		"[\"[4, 256]\", \"6\", \"]\", \"\"], \"b\": [1]", "{\"a\": [1, {}]}]", "[1, 2}", "[[1, 2]",
		"[\"\\\"]\", 1]", "[1, 2], \"a\": \"\\n\"", "[\"über [\"]", "[\"unterminated", "[{}, []]",
		"[\"0123456789abcde\", \"[\"], [", "[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]] "};

	(void)state;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		agree(lists[i], strlen(lists[i]));
}

static void
lists_are_as_deep_as_is_said(void **state)
{
	char text[4 * TP_JSON_DEEPEST_LIST];

	(void)state;
	for (size_t deep = TP_JSON_DEEPEST_LIST - 2; deep <= TP_JSON_DEEPEST_LIST + 40; deep++) {
		memset(text, '[', deep);
		memset(text + deep, ']', deep);
		agree(text, 2 * deep);
	}
}

static void
random_lists_end_alike(void **state)
{
	static const char letters[] = "[[[]]]\"\" ,12a{}\\~";
	char text[200];
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		/* Few of the rare ones, so that many come to their end. */
		size_t kinds = i % 4 == 0 ? sizeof letters - 1 : sizeof letters - 5;
		size_t length = 2 + (seed >> 8) % (sizeof text - 2);

		for (size_t k = 0; k < length; k++) {
			seed = seed * 1664525 + 1013904223;
			text[k] = letters[(seed >> 16) % kinds];
		}
		text[0] = '[';
		agree(text, length);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_end_where_their_brackets_do),
		cmocka_unit_test(lists_are_as_deep_as_is_said),
		cmocka_unit_test(random_lists_end_alike),
	};

	return RUN(tests);
}
