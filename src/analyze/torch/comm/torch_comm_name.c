/* One table of names. */
#include "analyze/torch/comm/torch_comm_name.h"

#include "base/arena.h"

#include <ctype.h>

/* By letters and digits alone, in lower case. */
static const struct {
	const char *written, *name;
	enum tp_torch_comm_kind kind;
} known[] = {
	{"allreduce", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducecoalesced", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducesparse", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducebarrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"allgather", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherbase", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgathercoalesced", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherintotensor", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherintotensorcoalesced", "all_gather", TP_TORCH_COMM_GATHERS},
	{"gather", "gather", TP_TORCH_COMM_GATHERS},
	{"reducescatter", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescatterbase", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattertensor", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattertensorcoalesced", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattercoalesced", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"alltoall", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallv", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallbase", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallsingle", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"scatter", "scatter", TP_TORCH_COMM_SCATTERS},
	{"broadcast", "broadcast", TP_TORCH_COMM_ROOTED},
	{"broadcastoop", "broadcast", TP_TORCH_COMM_ROOTED},
	{"broadcastcoalesced", "broadcast", TP_TORCH_COMM_ROOTED},
	{"reduce", "reduce", TP_TORCH_COMM_ROOTED},
	{"reduceoop", "reduce", TP_TORCH_COMM_ROOTED},
	{"send", "send", TP_TORCH_COMM_POINT},
	{"isend", "send", TP_TORCH_COMM_POINT},
	{"recv", "recv", TP_TORCH_COMM_POINT},
	{"irecv", "recv", TP_TORCH_COMM_POINT},
	{"recvanysource", "recv", TP_TORCH_COMM_POINT},
	{"barrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"monitoredbarrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"coalesced", "coalesced", TP_TORCH_COMM_MIXED},
};

struct tp_slice
tp_torch_comm_backend(struct tp_slice name)
{
	const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;

	return colon == NULL ? TP_S("") : (struct tp_slice){name.ptr, (size_t)(colon - name.ptr)};
}

struct tp_torch_comm_op
tp_torch_comm_op_of(struct tp_slice name, struct tp_arena *a)
{
	struct tp_slice backend = tp_torch_comm_backend(name);
	struct tp_slice rest = backend.len != 0 ? tp_slice_from(name, backend.len + 1) : name;
	char letters[64];
	size_t n = 0;

	/* "send 0->1": with whom is not what it is. */
	const char *space = rest.len != 0 ? memchr(rest.ptr, ' ', rest.len) : NULL;

	if (space != NULL && space != rest.ptr)
		rest.len = (size_t)(space - rest.ptr);
	for (size_t i = 0; i < rest.len && n < sizeof letters; i++) {
		if (isalnum((unsigned char)rest.ptr[i]))
			letters[n++] = (char)tolower((unsigned char)rest.ptr[i]);
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (tp_slice_eq((struct tp_slice){letters, n}, tp_slice_of(known[i].written)))
			return (struct tp_torch_comm_op){tp_slice_of(known[i].name), known[i].kind};
	}
	if (n == 0)
		return (struct tp_torch_comm_op){TP_S("collective"), TP_TORCH_COMM_MIXED};
	return (struct tp_torch_comm_op){tp_arena_copy(a, rest), TP_TORCH_COMM_MIXED};
}

struct tp_torch_comm_op
tp_torch_comm_op_of_kernel(struct tp_slice name, struct tp_arena *a)
{
	/* A name that holds another comes first. */
	static const char *const parts[] = {"AllReduce", "all_reduce", "allreduce", "AllGather",
		"allgather", "ReduceScatter", "reduce_scatter", "AllToAll", "alltoall", "Broadcast",
		"Reduce"};

	if (tp_slice_has(name, TP_S("cross_device_reduce")))
		return tp_torch_comm_op_of(TP_S("all_reduce"), a);
	/* Of send, receive and all-to-all alike. */
	if (tp_slice_has(name, TP_S("SendRecv")))
		return (struct tp_torch_comm_op){TP_S("send and recv"), TP_TORCH_COMM_POINT};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (tp_slice_has(name, tp_slice_of(parts[i])))
			return tp_torch_comm_op_of(tp_slice_of(parts[i]), a);
	}
	return tp_torch_comm_op_of(TP_S(""), a);
}

double
tp_torch_comm_bus_bytes(enum tp_torch_comm_kind kind, int64_t in, int64_t out, int64_t n)
{
	double part = n > 0 ? (double)(n - 1) / (double)n : 0;

	switch (kind) {
	case TP_TORCH_COMM_REDUCES:
		return in > 0 ? 2 * part * (double)in : 0;
	case TP_TORCH_COMM_SCATTERS:
		return in > 0 ? part * (double)in : 0;
	case TP_TORCH_COMM_GATHERS:
		/* What comes out is what all put in. */
		return out > in ? part * (double)out : in > 0 ? part * (double)in * (double)n : 0;
	case TP_TORCH_COMM_ROOTED:
	case TP_TORCH_COMM_POINT:
		return in > 0 ? (double)in : out > 0 ? (double)out : 0;
	case TP_TORCH_COMM_IS_BARRIER:
	case TP_TORCH_COMM_MIXED:
		break;
	}
	return 0;
}
