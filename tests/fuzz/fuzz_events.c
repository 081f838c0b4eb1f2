/* Any bytes as an event file: read, analyse, check the document, render it. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"json", "outline", "html", NULL};

	tp_through_reader(&tp_reader_events, "run/events.out.tfevents.1.host",
		(struct tp_slice){(const char *)data, size}, formats);
	return 0;
}
