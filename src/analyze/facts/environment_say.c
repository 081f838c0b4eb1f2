/* What devices a run used, in words. */
#include "analyze/facts/environment.h"

/* So many types are named; a file may have any number of them. */
enum { NAMED_TYPES = 4 };

/* Some tool files count GPUs where they count cores of a TPU. */
static struct tp_text
say_type(struct tp_doc *doc, struct tp_slice type, uint32_t devices, uint32_t cores)
{
	bool whole = devices == cores || tp_slice_has(type, TP_S("GPU"));

	return TP_SAY(doc, "{} × {}{}", tp_count(cores), tp_text_value(type),
		tp_text_value(whole  ? TP_S("")
				: cores == 1 ? TP_S(" core")
							 : TP_S(" cores")));
}

struct tp_text
tp_environment_say_devices(const struct tp_environment *e, struct tp_doc *doc)
{
	if (e->type_count < 2)
		return say_type(doc, e->device_type, e->devices, e->cores);
	struct tp_text said = say_type(doc, e->types[0].type, e->types[0].devices, e->types[0].cores);
	uint32_t others = 0;

	for (uint32_t i = 1; i < e->type_count; i++) {
		const struct tp_devices_of_type *t = &e->types[i];

		if (i < NAMED_TYPES)
			said = tp_doc_join(doc, tp_doc_join(doc, said, TP_SAY0(doc, ", ")),
				say_type(doc, t->type, t->devices, t->cores));
		else
			others += t->cores;
	}
	return others == 0
		? said
		: tp_doc_join(doc, said, TP_SAY(doc, ", {} of other types", tp_count(others)));
}
