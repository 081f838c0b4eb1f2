/* One function a kind of source; the first whose member is there is asked. */
#include "io/gs_subject.h"

#include "base/arena.h"
#include "io/command.h"
#include "io/gs_aws.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/service.h"
#include "io/small_file.h"
#include "io/store.h"

/* The text itself, or a member of it where the source's format is JSON. */
static struct tp_slice
token_in(struct tp_arena *arena, struct tp_slice source, struct tp_slice text)
{
	struct tp_json_text format[] = {{"type", {"", 0}}, {"subject_token_field_name", {"", 0}}};

	tp_json_object(arena, source, "format", format, 2);
	if (!tp_slice_eq(format[0].value, TP_S("json"))) {
		while (text.len != 0 && (unsigned char)text.ptr[text.len - 1] <= ' ')
			text.len--;
		return text;
	}
	struct tp_json_text token = {
		format[1].value.len != 0 ? format[1].value.ptr : "access_token", {"", 0}};

	tp_json_texts(arena, text, &token, 1);
	return token.value;
}

static struct tp_slice
of_file(struct tp_arena *arena, struct tp_slice source, struct tp_slice path, const char **why)
{
	struct tp_slice token = token_in(arena, source, tp_small_file(arena, path.ptr));

	if (token.len == 0)
		*why = tp_arena_printf(arena, "%.*s holds no token", TP_ARG(path)).ptr;
	return token;
}

struct header_to {
	struct tp_arena *arena;
	struct tp_http_request *request;
};

static void
add_header(void *with, const char *name, struct tp_slice value)
{
	struct header_to *to = with;

	tp_store_header(to->request, to->arena, tp_arena_copy(to->arena, tp_slice_of(name)).ptr, value);
}

static struct tp_slice
of_address(struct tp_arena *arena, struct tp_slice source, struct tp_slice url, const char **why)
{
	struct tp_http_request request = {
		.method = "GET", .url = url.ptr, .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};

	tp_json_each(source, "headers", add_header, &(struct header_to){arena, &request});
	struct tp_slice token = token_in(arena, source, tp_service_ask(arena, &request));

	if (token.len == 0)
		*why = tp_arena_printf(arena, "%.*s gives no token", TP_ARG(url)).ptr;
	return token;
}

/* What the program prints, which runs only where that is allowed: https://google.aip.dev/auth/4117 (executable-sourced). */
static struct tp_slice
of_program(struct tp_arena *arena, const struct tp_gs_subject *subject, const char **why)
{
	struct tp_json_text fields[] = {{"command", {"", 0}}};
	struct tp_json_text told[] = {{"id_token", {"", 0}}, {"saml_response", {"", 0}}};

	tp_json_object(arena, subject->source, "executable", fields, 1);
	if (!tp_slice_eq(tp_env("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"), TP_S("1"))) {
		*why = "its program runs only with GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1";
		return (struct tp_slice){"", 0};
	}
	struct tp_slice line = tp_arena_printf(arena,
		"GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=0 GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE=%.*s "
		"GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=%.*s %.*s",
		TP_ARG(tp_command_quoted(arena, subject->audience.ptr)),
		TP_ARG(tp_command_quoted(arena, subject->type.ptr)), TP_ARG(fields[0].value));

	tp_json_texts(arena, tp_command_output(arena, line.ptr), told, 2);
	if (told[0].value.len == 0 && told[1].value.len == 0)
		*why = "its program prints no token";
	return told[0].value.len != 0 ? told[0].value : told[1].value;
}

struct tp_slice
tp_gs_subject_token(struct tp_arena *arena, const struct tp_gs_subject *subject, const char **why)
{
	struct tp_json_text fields[] = {
		{"environment_id", {"", 0}}, {"file", {"", 0}}, {"url", {"", 0}}};

	*why = "it does not say where its token comes from, or in a way that tpreport does not know";
	tp_json_texts(arena, subject->source, fields, 3);
	if (tp_slice_eq(fields[0].value, TP_S("aws1")))
		return tp_gs_aws_token(arena, subject, why);
	if (fields[0].value.len != 0)
		return (struct tp_slice){"", 0};
	if (fields[1].value.len != 0)
		return of_file(arena, subject->source, fields[1].value, why);
	if (fields[2].value.len != 0)
		return of_address(arena, subject->source, fields[2].value, why);
	if (tp_json_member(arena, subject->source, "executable").len != 0)
		return of_program(arena, subject, why);
	return (struct tp_slice){"", 0};
}
