/* Times, levels and addresses. */
#include "cli/live_options.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/pass_options.h"
#include "cli/terminal.h"
#include "live/profiler.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DURATION_MS = 3600 * 1000, MOST_DEADLINE_MS = 24 * 3600 * 1000 };
enum { USUAL_DEADLINE_MS = 120 * 1000, USUAL_SETTLE_MS = 2000, USUAL_ATTEMPTS = 3 };
enum { MOST_ATTEMPTS = 1000, MOST_LEVEL = 100, MOST_HOSTS = 1024 };

/* A word may be missing: then *ms stays. */
static bool
read_time(const char *option, const char *word, uint64_t most_ms, uint64_t *ms)
{
	if (word == NULL)
		return true;
	double seconds = tp_parse_seconds(word, word + strlen(word));

	if (seconds >= 1e-3 && seconds * 1e3 <= (double)most_ms) {
		*ms = (uint64_t)llround(seconds * 1e3);
		return true;
	}
	tp_say("--%s %s: give a time from 1ms to %llus, e.g. 500ms or 5s", option, word,
		(unsigned long long)most_ms / 1000);
	return false;
}

static bool
read_number(const char *option, const char *word, size_t least, size_t most, size_t *number)
{
	size_t given;

	if (word == NULL)
		return true;
	if (tp_plain_number(word, &given) && given >= least && given <= most) {
		*number = given;
		return true;
	}
	tp_say("--%s %s: give a number from %zu to %zu", option, word, least, most);
	return false;
}

static bool
read_level(const char *option, const char *word, uint32_t *level)
{
	size_t number = *level;
	bool good = read_number(option, word, 0, MOST_LEVEL, &number);

	*level = (uint32_t)number;
	return good;
}

static bool
read_bool(const char *option, const char *word, bool *on)
{
	if (word == NULL)
		return true;
	if (*word == '\0' || strcmp(word, "true") == 0 || strcmp(word, "1") == 0)
		*on = true;
	else if (strcmp(word, "false") == 0 || strcmp(word, "0") == 0)
		*on = false;
	else {
		tp_say("--%s=%s: give true or false", option, word);
		return false;
	}
	return true;
}

bool
tp_capture_wish_read(const struct tp_args *args, uint64_t usual_ms, struct tp_capture_wish *wish)
{
	size_t duration_ms = usual_ms;
	uint64_t deadline_ms = USUAL_DEADLINE_MS;

	*wish = (struct tp_capture_wish){
		.host_level = 2, .device_level = 1, .python_level = 0, .dataset_ops = true};
	if (args->duration != NULL && args->duration_ms != NULL) {
		tp_say("--duration and --duration-ms mean the same: give one of them");
		return false;
	}
	if (!read_number("duration-ms", args->duration_ms, 1, MOST_DURATION_MS, &duration_ms))
		return false;
	wish->duration_ms = duration_ms;
	if (!read_time("duration", args->duration, MOST_DURATION_MS, &wish->duration_ms) ||
		!read_time("deadline", args->deadline, MOST_DEADLINE_MS, &deadline_ms))
		return false;
	wish->deadline_ms = (unsigned)(wish->duration_ms + deadline_ms);
	return read_level("host-tracer-level", args->host_tracer, &wish->host_level) &&
		read_level("device-tracer-level", args->device_tracer, &wish->device_level) &&
		read_level("python-tracer-level", args->python_tracer, &wish->python_level) &&
		read_bool("include-dataset-ops", args->dataset_ops, &wish->dataset_ops);
}

bool
tp_attempts_read(const struct tp_args *args, size_t *attempts)
{
	size_t retries = USUAL_ATTEMPTS - 1;

	if (args->retries != NULL && args->attempts != NULL) {
		tp_say("--retries and --num-tracing-attempts mean the same: give one of them");
		return false;
	}
	if (!read_number("retries", args->retries, 0, MOST_ATTEMPTS, &retries))
		return false;
	*attempts = retries + 1;
	return read_number("num-tracing-attempts", args->attempts, 1, MOST_ATTEMPTS, attempts);
}

bool
tp_settle_read(const struct tp_args *args, unsigned *settle_ms)
{
	uint64_t ms = USUAL_SETTLE_MS;
	bool good = read_time("settle", args->settle, MOST_DURATION_MS, &ms);

	*settle_ms = (unsigned)ms;
	return good;
}

/* Where the port begins, behind the last colon; 0: this is no address. */
static size_t
port_of(struct tp_slice address)
{
	size_t at = address.len, port = 0;

	while (at != 0 && isdigit((unsigned char)address.ptr[at - 1]))
		at--;
	for (size_t i = at; i < address.len && port <= UINT16_MAX; i++)
		port = port * 10 + (size_t)(address.ptr[i] - '0');
	if (at < 2 || address.ptr[at - 1] != ':' || port == 0 || port > UINT16_MAX)
		return 0;
	for (size_t i = 0; i < at - 1; i++) {
		if (!isalnum((unsigned char)address.ptr[i]) && strchr(".-_:[]%", address.ptr[i]) == NULL)
			return 0;
	}
	/* Colons of IPv6 stand in brackets. */
	return memchr(address.ptr, ':', at - 1) == NULL || address.ptr[at - 2] == ']' ? at : 0;
}

static const char *
name_of(struct tp_slice text, struct tp_arena *arena)
{
	char *name = (char *)(uintptr_t)tp_arena_copy(arena, text).ptr;

	for (char *c = name; *c != '\0'; c++) {
		if (!isalnum((unsigned char)*c) && strchr(".-", *c) == NULL)
			*c = '_';
	}
	if (*name == '.')
		*name = '_';
	return name;
}

/* Two programs of one host are told apart by their ports. */
static bool
name_all(struct tp_captured_host *hosts, size_t count, struct tp_arena *arena)
{
	for (size_t i = 0; i < count; i++) {
		struct tp_slice address = tp_slice_of(hosts[i].address);
		size_t host = port_of(address) - 1;
		bool alone = true;

		for (size_t k = 0; k < count; k++) {
			struct tp_slice other = tp_slice_of(hosts[k].address);

			if (k != i && tp_slice_eq(address, other)) {
				tp_say("%s is given twice", hosts[i].address);
				return false;
			}
			if (k != i && port_of(other) - 1 == host && memcmp(address.ptr, other.ptr, host) == 0)
				alone = false;
		}
		hosts[i].name = name_of(alone ? (struct tp_slice){address.ptr, host} : address, arena);
	}
	return true;
}

static bool
add_address(
	struct tp_slice word, struct tp_captured_host *hosts, size_t *count, struct tp_arena *arena)
{
	if (tp_slice_starts(word, TP_S("grpc://")))
		word = tp_slice_from(word, strlen("grpc://"));
	if (port_of(word) == 0) {
		tp_say(
			"%.*s: give the address of a profiler as HOST:PORT: of jax.profiler.start_server(9999) port 9999, of "
			"Cloud TPU 8466",
			TP_ARG(word));
		return false;
	}
	if (*count == MOST_HOSTS) {
		tp_say("more than %d addresses at a time", MOST_HOSTS);
		return false;
	}
	hosts[(*count)++].address = tp_arena_copy(arena, word).ptr;
	return true;
}

struct tp_captured_host *
tp_addresses_read(
	const char *const *words, size_t word_count, size_t *count, struct tp_arena *arena)
{
	struct tp_captured_host *hosts = tp_new_array(arena, struct tp_captured_host, MOST_HOSTS);

	*count = 0;
	for (size_t i = 0; i < word_count; i++) {
		struct tp_slice left = tp_slice_of(words[i]);

		for (;;) {
			const char *comma = memchr(left.ptr, ',', left.len);
			struct tp_slice word = {left.ptr, comma ? (size_t)(comma - left.ptr) : left.len};

			if (!add_address(word, hosts, count, arena))
				return NULL;
			if (comma == NULL)
				break;
			left = tp_slice_from(left, word.len + 1);
		}
	}
	return name_all(hosts, *count, arena) ? hosts : NULL;
}
