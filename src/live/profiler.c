/* The calls Profile and Monitor. One thread a profiler, for all are to profile the same time. */
#include "live/profiler.h"

#include "codec/pb_wire.h"
#include "io/grpc.h"
#include "io/sink.h"
#include "live/run_folder.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "profiler.pb-c.h"

/* Of ProfileResponse. */
enum { TOOL_DATA = 6, EMPTY_TRACE = 7, XSPACE = 8 };

/* What a thread needs beside its work, with room. */
enum { STACK_BYTES = 1 << 20 };

enum { MONITOR_GRACE_MS = 60000 };

/* Those of Cloud TPU before 2020 made these themselves; others give the XSpace alone. */
static const char *const tools[] = {"trace_viewer", "op_profile", "input_pipeline", "kernel_stats",
	"memory_viewer", "memory_profile", "overview_page", "pod_viewer", "tensorflow_stats",
	"xplane.pb"};

struct call {
	const struct tp_capture_wish *wish;
	struct tp_captured_host *host;
	struct tp_run_folder *folder;
	pthread_t thread;
	bool started;
};

static size_t
pack(const ProtobufCMessage *message, struct tp_buf *out)
{
	size_t size = protobuf_c_message_get_packed_size(message);

	return protobuf_c_message_pack(message, tp_buf_room(out, size, 1));
}

static size_t
pack_request(const struct call *c, struct tp_buf *out)
{
	const struct tp_capture_wish *w = c->wish;
	Tp__CaptureOptions options = TP__CAPTURE_OPTIONS__INIT;
	Tp__ProfileRequest request = TP__PROFILE_REQUEST__INIT;

	options.has_version = options.has_enable_hlo_proto = options.has_include_dataset_ops = true;
	options.has_host_tracer_level = options.has_device_tracer_level = true;
	options.has_python_tracer_level = options.has_duration_ms = true;
	options.version = 1;
	options.enable_hlo_proto = true;
	options.include_dataset_ops = w->dataset_ops;
	options.host_tracer_level = w->host_level;
	options.device_tracer_level = w->device_level;
	options.python_tracer_level = w->python_level;
	options.duration_ms = w->duration_ms;
	request.has_duration_ms = request.has_emit_xspace = true;
	request.duration_ms = w->duration_ms;
	request.emit_xspace = true;
	request.opts = &options;
	request.n_tools = sizeof tools / sizeof *tools;
	request.tools = (char **)(uintptr_t)tools;
	request.repository_root = (char *)(uintptr_t)tp_run_folder_root(c->folder);
	request.session_id = (char *)(uintptr_t)tp_run_folder_session(c->folder);
	request.host_name = (char *)(uintptr_t)c->host->name;
	return pack(&request.base, out);
}

static bool
may_come_again(const struct tp_grpc_answer *a)
{
	return a->reply.refused || a->status == TP_GRPC_UNAVAILABLE ||
		a->status == TP_GRPC_ALREADY_EXISTS ||
		(a->status == TP_GRPC_UNKNOWN && strcmp(a->told, "Stream removed") == 0);
}

/* All parts of the XSpace, one behind the other: protobuf's rule for a message that comes in parts. */
static enum tp_status
write_space(const struct call *c, struct tp_slice answer, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(answer);
	struct tp_sink *sink = NULL;
	enum tp_status status = TP_OK;
	char name[300];

	snprintf(name, sizeof name, "%s.xplane.pb", c->host->name);
	while (tp_pb_next(&p) && status == TP_OK) {
		if (p.field != XSPACE || p.type != TP_PB_BYTES || p.bytes.len == 0)
			continue;
		if (sink == NULL && (sink = tp_run_folder_file(c->folder, name, err)) == NULL)
			return err->status;
		tp_sink_put(sink, p.bytes);
		c->host->size_bytes += p.bytes.len;
	}
	if (sink != NULL)
		status = tp_sink_commit(sink, err);
	tp_sink_close(sink);
	return status;
}

/* A name from a server: of a file, and of none elsewhere. */
static bool
is_plain(struct tp_slice name)
{
	return name.len != 0 && name.len < 200 && name.ptr[0] != '.' &&
		memchr(name.ptr, '/', name.len) == NULL && memchr(name.ptr, '\0', name.len) == NULL;
}

static enum tp_status
write_tool(const struct call *c, struct tp_slice message, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice name = TP_S(""), data = TP_S("");
	char file[512];

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			name = p.bytes;
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			data = p.bytes;
	}
	if (data.len == 0)
		return TP_OK;
	if (!is_plain(name))
		return tp_fail_at(err, TP_ERR_FORMAT, c->host->address, TP_NO_OFFSET,
			"the profiler names a file \"%.*s\"", (int)(name.len < 80 ? name.len : 80), name.ptr);
	snprintf(file, sizeof file, "%s.%.*s", c->host->name, TP_ARG(name));
	struct tp_sink *sink = tp_run_folder_file(c->folder, file, err);

	if (sink == NULL)
		return err->status;
	tp_sink_put(sink, data);
	enum tp_status status = tp_sink_commit(sink, err);

	tp_sink_close(sink);
	c->host->size_bytes += data.len;
	return status;
}

/* Profilers that do not know emit_xspace (TensorFlow and JAX before 2025) write to a disk: of this machine, or one that it sees, too. */
static enum tp_status
find_written(const struct call *c, struct tp_err *err)
{
	char name[300];

	snprintf(name, sizeof name, "%s.xplane.pb", c->host->name);
	c->host->size_bytes = tp_run_folder_size(c->folder, name);
	if (c->host->size_bytes != 0)
		return TP_OK;
	return tp_fail_at(err, TP_ERR_IO, c->host->address, TP_NO_OFFSET,
		"this profiler sends no profiles: it wrote one on its own machine, to %s/%s; give a log directory that both "
		"machines see",
		tp_run_folder_root(c->folder), tp_run_folder_session(c->folder));
}

static enum tp_status
take_answer(const struct call *c, struct tp_slice answer, bool *empty, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(answer);
	enum tp_status status = TP_OK;

	while (tp_pb_next(&p) && status == TP_OK) {
		if (p.field == TOOL_DATA && p.type == TP_PB_BYTES)
			status = write_tool(c, p.bytes, err);
		else if (p.field == EMPTY_TRACE && p.type == TP_PB_VARINT)
			*empty = p.number != 0;
	}
	if (status != TP_OK || *empty)
		return status;
	if (p.state != TP_PB_END)
		return tp_fail_at(err, TP_ERR_FORMAT, c->host->address, TP_NO_OFFSET,
			"the answer is not a message of a profiler");
	status = write_space(c, answer, err);
	return status == TP_OK && c->host->size_bytes == 0 ? find_written(c, err) : status;
}

static void
ask(struct call *c)
{
	struct tp_captured_host *h = c->host;
	struct tp_buf request = {0};
	struct tp_grpc_answer answer;
	bool empty = false;

	h->state = TP_CAPTURE_FAILED;
	h->again = false;
	h->size_bytes = 0;
	size_t size = pack_request(c, &request);
	int fd = tp_run_folder_spool(c->folder, &h->err);

	if (fd < 0) {
		tp_buf_free(&request);
		return;
	}
	struct tp_grpc_call call = {
		.address = h->address,
		.method = "tensorflow.ProfilerService/Profile",
		.message = {request.data, size},
		.deadline_ms = c->wish->deadline_ms,
		.fd = fd,
	};
	enum tp_status status = tp_grpc_send(&call, &answer, &h->err);

	if (status != TP_OK)
		h->again = may_come_again(&answer);
	else if (take_answer(c, answer.message, &empty, &h->err) == TP_OK)
		h->state = empty ? TP_CAPTURE_EMPTY : TP_CAPTURE_TAKEN;
	h->again |= h->state == TP_CAPTURE_EMPTY;
	tp_grpc_free(&answer);
	tp_buf_free(&request);
	close(fd);
}

static void *
run(void *with)
{
	ask(with);
	return NULL;
}

/* Signals go to the thread that waits: it alone removes what is not whole. */
static void
start_all(struct call *calls, size_t count)
{
	pthread_attr_t attributes;
	sigset_t all, before;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (size_t i = 0; i < count; i++)
		calls[i].started = pthread_create(&calls[i].thread, &attributes, run, &calls[i]) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

/* A connection and a file for each: more than are usually allowed, where there are many hosts. */
static void
allow_files(size_t hosts)
{
	struct rlimit limit;
	rlim_t needed = 4 * hosts + 64;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
		return;
	limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

size_t
tp_capture(const struct tp_capture_wish *wish, struct tp_captured_host *hosts, size_t count,
	struct tp_run_folder *folder)
{
	struct tp_buf room = {0};
	struct call *calls = tp_buf_room(&room, count, sizeof *calls);
	size_t taken = 0;

	for (size_t i = 0; i < count; i++)
		calls[i] = (struct call){.wish = wish, .host = &hosts[i], .folder = folder};
	allow_files(count);
	start_all(calls, count);
	for (size_t i = 0; i < count; i++) {
		if (calls[i].started)
			pthread_join(calls[i].thread, NULL);
		else
			tp_fail_at(&hosts[i].err, TP_ERR_LIMIT, hosts[i].address, TP_NO_OFFSET,
				"no thread can be started to wait for it");
		taken += hosts[i].state == TP_CAPTURE_TAKEN;
	}
	tp_buf_free(&room);
	return taken;
}

static void
append_data(struct tp_slice answer, struct tp_buf *text)
{
	struct tp_pb p = tp_pb_open(answer);

	text->count = 0;
	while (tp_pb_next(&p)) {
		if (p.field != 1 || p.type != TP_PB_BYTES)
			continue;
		memcpy(tp_buf_room(text, p.bytes.len + 1, 1), p.bytes.ptr, p.bytes.len);
		text->count = p.bytes.len;
	}
}

enum tp_status
tp_monitor(
	const char *address, uint64_t duration_ms, int level, struct tp_buf *text, struct tp_err *err)
{
	Tp__MonitorRequest request = TP__MONITOR_REQUEST__INIT;
	struct tp_grpc_answer answer;
	struct tp_buf packed = {0};

	request.has_duration_ms = request.has_monitoring_level = request.has_timestamp = true;
	request.duration_ms = duration_ms;
	request.monitoring_level = level;
	request.timestamp = true;
	size_t size = pack(&request.base, &packed);
	struct tp_grpc_call call = {
		.address = address,
		.method = "tensorflow.ProfilerService/Monitor",
		.message = {packed.data, size},
		.deadline_ms = (unsigned)duration_ms + MONITOR_GRACE_MS,
		.fd = -1,
	};
	enum tp_status status = tp_grpc_send(&call, &answer, err);

	if (status == TP_OK)
		append_data(answer.message, text);
	else if (answer.status == TP_GRPC_UNIMPLEMENTED)
		status = TP_ABSENT;
	tp_grpc_free(&answer);
	tp_buf_free(&packed);
	return status;
}
