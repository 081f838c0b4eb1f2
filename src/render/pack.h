/* Packing for what a page carries: gzip, then base64. */
#ifndef TP_RENDER_PACK_H
#define TP_RENDER_PACK_H

struct tp_sink;

/* Gives `write` a sink, and what is written to that goes packed to `out`. */
void tp_pack(
	struct tp_sink *out, void (*write)(struct tp_sink *in, const void *what), const void *what);

#endif
