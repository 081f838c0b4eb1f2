/* RFC 3986, as far as stores need it. */
#include "io/url.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

/* What stands before the first of the marks; *rest is from that on. */
static struct tp_slice
cut(struct tp_slice text, const char *marks, struct tp_slice *rest)
{
	size_t i = 0;

	while (i < text.len && strchr(marks, text.ptr[i]) == NULL)
		i++;
	*rest = tp_slice_from(text, i);
	return (struct tp_slice){text.ptr, i};
}

bool
tp_url_split(struct tp_slice text, struct tp_url *url)
{
	struct tp_slice rest;

	*url = (struct tp_url){.scheme = cut(text, ":/?#", &rest)};
	if (url->scheme.len == 0 || !tp_slice_starts(rest, TP_S("://")))
		return false;
	url->host = cut(tp_slice_from(rest, 3), "/?#", &rest);
	const char *at = url->host.len != 0 ? memrchr(url->host.ptr, '@', url->host.len) : NULL;

	if (at != NULL) {
		url->user = (struct tp_slice){url->host.ptr, (size_t)(at - url->host.ptr)};
		url->host = tp_slice_from(url->host, url->user.len + 1);
	}
	url->path = cut(rest, "?#", &rest);
	if (tp_slice_starts(rest, TP_S("?")))
		url->query = cut(tp_slice_from(rest, 1), "#", &rest);
	return url->host.len != 0;
}

struct tp_slice
tp_url_usual_host(struct tp_slice scheme, struct tp_slice host)
{
	struct tp_slice port = tp_slice_eq(scheme, TP_S("https")) ? TP_S(":443") : TP_S(":80");

	if (tp_slice_ends(host, port))
		host.len -= port.len;
	return host;
}

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
		c == '_' || c == '.' || c == '~';
}

struct tp_slice
tp_url_encode(struct tp_arena *arena, struct tp_slice text, bool keep_slashes)
{
	char *to = tp_arena_alloc(arena, 3 * text.len + 1);
	size_t length = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (is_plain(text.ptr[i]) || (c == '/' && keep_slashes)) {
			to[length++] = text.ptr[i];
			continue;
		}
		to[length++] = '%';
		to[length++] = "0123456789ABCDEF"[c >> 4];
		to[length++] = "0123456789ABCDEF"[c & 15];
	}
	return (struct tp_slice){to, length};
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

struct tp_slice
tp_url_decode(struct tp_arena *arena, struct tp_slice text)
{
	char *to = tp_arena_alloc(arena, text.len + 1);
	size_t length = 0;

	for (size_t i = 0; i < text.len; i++) {
		bool encoded = text.ptr[i] == '%' && i + 2 < text.len && digit(text.ptr[i + 1]) >= 0 &&
			digit(text.ptr[i + 2]) >= 0;

		if (!encoded) {
			to[length++] = text.ptr[i];
			continue;
		}
		to[length++] = (char)(digit(text.ptr[i + 1]) * 16 + digit(text.ptr[i + 2]));
		i += 2;
	}
	return (struct tp_slice){to, length};
}

void
tp_query_add(struct tp_query *q, struct tp_slice name, struct tp_slice value)
{
	if (q->count == TP_QUERY_MOST)
		return;
	q->at[q->count].name = name;
	q->at[q->count++].value = value;
}

struct tp_slice
tp_query_text(struct tp_arena *arena, const struct tp_query *q)
{
	struct tp_query e = *q;
	struct tp_slice text = TP_S("");

	for (unsigned i = 0; i < e.count; i++) {
		struct tp_slice name = tp_url_encode(arena, q->at[i].name, false);
		struct tp_slice value = tp_url_encode(arena, q->at[i].value, false);
		unsigned k = i;

		for (; k > 0; k--) {
			int order = tp_slice_cmp(e.at[k - 1].name, name);

			if (order < 0 || (order == 0 && tp_slice_cmp(e.at[k - 1].value, value) <= 0))
				break;
			e.at[k] = e.at[k - 1];
		}
		e.at[k].name = name;
		e.at[k].value = value;
	}
	for (unsigned i = 0; i < e.count; i++)
		text = tp_arena_printf(arena, "%.*s%s%.*s=%.*s", TP_ARG(text), i != 0 ? "&" : "",
			TP_ARG(e.at[i].name), TP_ARG(e.at[i].value));
	return text;
}
