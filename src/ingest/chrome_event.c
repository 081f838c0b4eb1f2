/* Reading one entry of a Chrome trace. The format: "Trace Event Format" of Chromium's catapult. */
#include "ingest/chrome_event.h"

#include "base/map.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "ingest/torch_words.h"
#include "ingest/tracks.h"

#include <math.h>
#include <stdio.h>

enum { PS_A_US = 1000000, MOST_VALUES = 64 };

/* Times since 1970 are beyond 64 bits in ps, so the whole µs and the rest are read apart, where there is a rest. */
static struct tp_chrome_time
time_of(struct tp_slice text)
{
	struct tp_chrome_time t = {0};
	const char *point = text.len != 0 ? memchr(text.ptr, '.', text.len) : NULL;
	int64_t ps;

	if (tp_decimal_scaled(text, 6, &ps)) {
		t.told = true;
		t.us = ps / PS_A_US - (ps % PS_A_US < 0);
		t.rest_ps = ps % PS_A_US + (ps % PS_A_US < 0 ? PS_A_US : 0);
		return t;
	}
	char rest[32] = "0";
	struct tp_slice whole = {text.ptr, point != NULL ? (size_t)(point - text.ptr) : text.len};
	size_t digits = text.len - whole.len;

	if (point == NULL || digits >= sizeof rest - 1 || text.ptr[0] == '-' ||
		memchr(point, 'e', digits) != NULL || memchr(point, 'E', digits) != NULL) {
		t.told = tp_decimal_scaled(text, 0, &t.us);
		return t;
	}
	memcpy(rest + 1, point, digits);
	t.told = tp_decimal_scaled(whole, 0, &t.us) &&
		tp_decimal_scaled((struct tp_slice){rest, digits + 1}, 6, &t.rest_ps);
	if (t.rest_ps >= PS_A_US) {
		t.rest_ps -= PS_A_US;
		t.us++;
	}
	return t;
}

static struct tp_chrome_id
id_of(struct tp_draft_tracks *d, const struct tp_pull *j)
{
	int64_t number;

	if (j->type != TP_PULL_STRING && j->type != TP_PULL_NUMBER)
		return (struct tp_chrome_id){0};
	if (tp_decimal_integer(j->text, &number))
		return (struct tp_chrome_id){true, (uint64_t)number, 0};
	uint32_t text = tp_tracks_text(d, j->text);

	return (struct tp_chrome_id){true, tp_hash_bytes(j->text), text};
}

/* The numbers of a counter, and what metadata names. Of other entries arguments are passed over, where it is known by then what it is. */
static void
read_arguments(struct tp_draft_tracks *d, struct tp_pull *j, struct tp_chrome_event *e)
{
	if (e->phase != '\0' && e->phase != 'C' && e->phase != 'M') {
		tp_pull_skip(j);
		return;
	}
	while (tp_pull_item(j)) {
		struct tp_chrome_value v = {0};

		if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY) {
			tp_pull_skip(j);
			continue;
		}
		if (j->type == TP_PULL_STRING && tp_pull_key_is(j, "name"))
			e->named = tp_tracks_text(d, j->text);
		if (e->values.count < MOST_VALUES && e->phase != 'M' &&
			tp_decimal_double(j->text, &v.value) && isfinite(v.value)) {
			v.key = tp_tracks_text(d, j->key);
			*tp_buf_new(&e->values, struct tp_chrome_value) = v;
		}
	}
}

static void
read_duration(const struct tp_pull *j, struct tp_chrome_event *e)
{
	double us;

	e->has_duration = tp_decimal_scaled(j->text, 6, &e->duration_ps);
	e->long_duration = e->has_duration && e->duration_ps > TP_TRACKS_LATEST_PS;
	if (!e->has_duration && tp_decimal_double(j->text, &us) && us > 0)
		e->has_duration = e->long_duration = true;
	if (e->long_duration)
		e->duration_ps = TP_TRACKS_LATEST_PS;
}

/* {"local": …} or {"global": …} */
static void
read_id2(struct tp_draft_tracks *d, struct tp_pull *j, struct tp_chrome_event *e)
{
	while (tp_pull_item(j)) {
		if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY) {
			tp_pull_skip(j);
			continue;
		}
		e->local = tp_pull_key_is(j, "local");
		e->id = id_of(d, j);
	}
}

static void
read_member(struct tp_draft_tracks *d, struct tp_pull *j, struct tp_chrome_event *e)
{
	bool text = j->type == TP_PULL_STRING;

	if (tp_pull_key_is(j, "ph") && text)
		e->phase = j->text.len == 1 ? j->text.ptr[0] : '?';
	else if (tp_pull_key_is(j, "name") && (text || j->type == TP_PULL_NUMBER))
		e->name = tp_tracks_text(d, j->text);
	else if (tp_pull_key_is(j, "ts"))
		e->at = time_of(j->text);
	else if (tp_pull_key_is(j, "dur"))
		read_duration(j, e);
	else if (tp_pull_key_is(j, "pid"))
		e->process = id_of(d, j);
	else if (tp_pull_key_is(j, "tid"))
		e->thread = id_of(d, j);
	else if (tp_pull_key_is(j, "cat") && text) {
		e->torch = tp_torch_category(j->text);
		e->category = tp_tracks_text(d, j->text);
	} else if (tp_pull_key_is(j, "id"))
		e->id = id_of(d, j);
	else if (tp_pull_key_is(j, "scope") && text)
		e->scope = tp_tracks_text(d, j->text);
	else if (tp_pull_key_is(j, "bp"))
		e->around = tp_slice_eq(j->text, TP_S("e"));
	if (tp_pull_key_is(j, "args") && j->type == TP_PULL_OBJECT)
		read_arguments(d, j, e);
	else if (tp_pull_key_is(j, "id2") && j->type == TP_PULL_OBJECT)
		read_id2(d, j, e);
	else if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY)
		tp_pull_skip(j);
}

bool
tp_chrome_event_read(struct tp_draft_tracks *d, struct tp_pull *j, struct tp_chrome_event *e)
{
	struct tp_buf values = e->values;

	values.count = 0;
	*e = (struct tp_chrome_event){.values = values};
	while (tp_pull_item(j))
		read_member(d, j, e);
	return j->state == TP_PULL_MORE;
}
