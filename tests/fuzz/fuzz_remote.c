/* What servers and files of settings hold: listings in XML and JSON, addresses, queries, settings. */
#include "base/arena.h"
#include "io/ini.h"
#include "io/json_texts.h"
#include "io/records_xml.h"
#include "io/store.h"
#include "io/url.h"

#include <stdlib.h>

struct counting {
	struct tp_xml_field xml[2];
	struct tp_json_text json[2];
	size_t seen;
};

static void
count_xml(void *with)
{
	struct counting *c = with;

	c->seen += c->xml[0].value.len + c->xml[1].value.len;
}

static void
count_json(void *with)
{
	struct counting *c = with;

	c->seen += c->json[0].value.len + c->json[1].value.len;
}

/* What is encoded and decoded again is what it was. */
static void
check_encoding(struct tp_arena *arena, struct tp_slice text)
{
	struct tp_slice there = tp_url_encode(arena, text, false);

	if (!tp_slice_eq(tp_url_decode(arena, there), text))
		abort();
}

static void
take(struct tp_arena *arena, struct tp_slice text)
{
	const struct tp_store *const stores[] = {
		&tp_store_s3, &tp_store_gs, &tp_store_azure, &tp_store_web};

	for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
		struct tp_address a = {.key = {"", 0}};

		if (stores[i]->take(text, arena, &a) && a.name.len == 0)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice text = tp_arena_copy(arena, (struct tp_slice){(const char *)data, size});
	struct counting c = {
		{{"Key", {"", 0}}, {"Size", {"", 0}}}, {{"name", {"", 0}}, {"size", {"", 0}}}, 0};

	tp_xml_records(arena, text, "Contents", c.xml, 2, count_xml, &c);
	tp_xml_first(arena, text, "NextContinuationToken", "Contents");
	tp_json_list(arena, text, "items", c.json, 2, count_json, &c);
	tp_json_texts(arena, text, c.json, 2);
	tp_ini_value(text, TP_S("profile dev"), TP_S("region"));
	tp_time_of_iso(text);
	tp_time_of_http(text);
	check_encoding(arena, text);
	take(arena, text);
	tp_arena_free(arena);
	return 0;
}
