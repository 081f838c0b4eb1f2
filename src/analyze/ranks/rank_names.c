/* Texts of a host's summary, and the lists of those that are told by their place. */
#include "analyze/ranks/rank_hosts.h"

#include "base/arena.h"

char *
tp_rank_text(const struct tp_rank_host *h, struct tp_slice text)
{
	return (char *)tp_arena_copy(h->ctx->keep, text).ptr;
}

uint32_t
tp_rank_step(struct tp_rank_host *h, struct tp_slice name)
{
	uint32_t number;

	if (tp_map_number(&h->steps, tp_hash_bytes(name), &number))
		TP_PUSH(&h->names, char *, tp_rank_text(h, name));
	return number;
}

uint32_t
tp_rank_program(struct tp_rank_host *h, struct tp_slice name)
{
	uint32_t number;

	if (tp_map_number(&h->program_index, tp_hash_bytes(name), &number))
		TP_PUSH(&h->programs, char *, tp_rank_text(h, name));
	return number;
}
