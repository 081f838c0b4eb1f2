/* A page of a listing in XML, which S3 and Azure write alike but for the names of its elements. */
#ifndef TP_IO_XML_LISTING_H
#define TP_IO_XML_LISTING_H

#include "io/store.h"

struct tp_xml_listing {
	const char *store;                     /* "S3" */
	const char *record;                    /* the element of an object */
	const char *key, *size, *time, *etag;  /* in it; etag NULL: it is not looked at */
	int64_t (*read_time)(struct tp_slice); /* Unix time in ns; 0: it is none */
	const char *next,
		*but; /* the name of the page behind, outside of elements that are called `but` */
};

/* Shows the objects of a page; err where the text is none. */
enum tp_status tp_xml_listing_page(const struct tp_xml_listing *l, const struct tp_bucket *b,
	struct tp_slice body, struct tp_arena *arena, struct tp_page *page, struct tp_err *err);

#endif
