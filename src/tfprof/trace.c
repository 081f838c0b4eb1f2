/* Members of an event stand in the order of their names, as the library has it that tfprof writes with. */
#include "tfprof/trace.h"

#include "io/sink.h"
#include "render/json_writer.h"

void
tp_tfprof_trace_open(struct tp_tfprof_trace *t, struct tp_sink *out)
{
	*t = (struct tp_tfprof_trace){.out = out};
	tp_sink_puts(out, "{\"traceEvents\":[");
}

void
tp_tfprof_trace_close(struct tp_tfprof_trace *t)
{
	tp_sink_puts(t->out, "]}\n");
}

static void
begin(struct tp_tfprof_trace *t)
{
	tp_sink_puts(t->out, t->any ? ",{" : "{");
	t->any = true;
}

/* Pieces of a name as one string: each without the quotes around it. */
static void
put_piece(struct tp_sink *out, struct tp_slice piece)
{
	struct tp_sink *quoted = tp_sink_memory();

	tp_json_put_string(quoted, piece);
	struct tp_slice text = tp_sink_bytes(quoted);

	tp_sink_write(out, text.ptr + 1, text.len - 2);
	tp_sink_close(quoted);
}

void
tp_tfprof_trace_process(struct tp_tfprof_trace *t, const char *prefix, struct tp_slice name,
	const char *suffix, int64_t pid)
{
	begin(t);
	tp_sink_printf(t->out, "\"args\":{\"name\":\"%s", prefix);
	put_piece(t->out, name);
	tp_sink_printf(t->out, "%s\"},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld}", suffix,
		(long long)pid);
}

void
tp_tfprof_trace_region(struct tp_tfprof_trace *t, const struct tp_tfprof_trace_region *r)
{
	begin(t);
	tp_sink_puts(t->out, "\"args\":{\"name\":");
	tp_json_put_string(t->out, r->name);
	if (r->with_op) {
		tp_sink_puts(t->out, ",\"op\":");
		tp_json_put_string(t->out, r->name);
	}
	tp_sink_printf(t->out, "},\"cat\":\"Op\",\"dur\":%lld,\"name\":", (long long)r->us);
	tp_json_put_string(t->out, r->name);
	tp_sink_printf(t->out, ",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld}",
		(long long)r->pid, (long long)r->tid, (long long)r->start_us);
}

void
tp_tfprof_trace_flow(struct tp_tfprof_trace *t, char phase, struct tp_slice name, int64_t pid,
	int64_t tid, int64_t at_us, int64_t id)
{
	begin(t);
	tp_sink_printf(t->out, "\"cat\":\"DataFlow\",\"id\":%lld,\"name\":\"", (long long)id);
	put_piece(t->out, name);
	tp_sink_printf(t->out, "_flow\",\"ph\":\"%c\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld}", phase,
		(long long)pid, (long long)tid, (long long)at_us);
}

void
tp_tfprof_trace_sample(struct tp_tfprof_trace *t)
{
	begin(t);
	tp_sink_puts(t->out, "\"args\":{");
}

void
tp_tfprof_trace_sample_end(struct tp_tfprof_trace *t, const char *name, int64_t pid, int64_t at_us)
{
	tp_sink_printf(t->out,
		"},\"cat\":\"Memory\",\"name\":\"%s\",\"ph\":\"C\",\"pid\":%lld,\"tid\":0,\"ts\":%lld}",
		name, (long long)pid, (long long)at_us);
}
