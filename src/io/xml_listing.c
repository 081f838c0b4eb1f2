/* Records of four fields. */
#include "io/xml_listing.h"

#include "io/records_xml.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY, SIZE, TIME, ETAG, FIELD_COUNT };

struct seeing {
	const struct tp_xml_listing *listing;
	struct tp_xml_field fields[FIELD_COUNT];
	struct tp_page *page;
};

static void
see(void *with)
{
	struct seeing *v = with;
	char size[32];

	snprintf(size, sizeof size, "%.*s", TP_ARG(v->fields[SIZE].value));
	struct tp_object_seen object = {
		.key = v->fields[KEY].value,
		.size_bytes = strtoull(size, NULL, 10),
		.modified_unix_ns = v->listing->read_time(v->fields[TIME].value),
		.etag = v->fields[ETAG].value,
	};

	v->page->see(v->page->with, &object);
}

enum tp_status
tp_xml_listing_page(const struct tp_xml_listing *l, const struct tp_bucket *b, struct tp_slice body,
	struct tp_arena *arena, struct tp_page *page, struct tp_err *err)
{
	struct seeing v = {
		.listing = l,
		.fields = {{l->key, {"", 0}}, {l->size, {"", 0}}, {l->time, {"", 0}}, {l->etag, {"", 0}}},
		.page = page,
	};

	if (!tp_xml_records(arena, body, l->record, v.fields, FIELD_COUNT, see, &v))
		return tp_fail_at(err, TP_ERR_FORMAT, b->address.ptr, TP_NO_OFFSET,
			"the server's answer is not a listing of %s: is the address right?", l->store);
	page->next = tp_xml_first(arena, body, l->next, l->but);
	return TP_OK;
}
