/* tpreport mcp: a server of the Model Context Protocol on standard input and output, for language models: JSON-RPC 2.0, a message a line. It only
 * reads; its tools are in mcp_tools.c. */
#include "cli/commands.h"

#include "cli/mcp_tools.h"
#include "cli/options.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROTOCOL "2025-06-18"

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, WRONG_PARAMS = -32602 };

static json_t *
failure(int code, const char *message)
{
	return json_pack("{s:{s:i, s:s}}", "error", "code", code, "message", message);
}

static json_t *
success(json_t *result)
{
	return json_pack("{s:o}", "result", result);
}

/* A version that the client asks for is taken if it is a date, as all are: the few methods here are the same in each. */
static json_t *
initialize(const json_t *params)
{
	const char *wish = json_string_value(json_object_get(params, "protocolVersion"));

	return success(json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion",
		wish != NULL && strlen(wish) == strlen(PROTOCOL) ? wish : PROTOCOL, "capabilities", "tools",
		"serverInfo", "name", "tpreport", "version", TP_VERSION, "instructions",
		"Reads profiles of JAX, TensorFlow and PyTorch. Call report first: it has the verdict and what to do. Then show, for the section it names. A "
		"figure that is - is unknown, not zero. Savings are upper bounds and overlap."));
}

static json_t *
call(const json_t *params)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	json_t *result = name != NULL ? tp_mcp_call(name, json_object_get(params, "arguments")) : NULL;

	return result != NULL ? success(result) : failure(WRONG_PARAMS, "there is no such tool");
}

static json_t *
dispatch(const char *method, const json_t *params)
{
	if (strcmp(method, "initialize") == 0)
		return initialize(params);
	if (strcmp(method, "ping") == 0)
		return success(json_object());
	if (strcmp(method, "tools/list") == 0)
		return success(json_pack("{s:o}", "tools", tp_mcp_tools()));
	if (strcmp(method, "tools/call") == 0)
		return call(params);
	return failure(NO_METHOD, "there is no such method");
}

static void
respond(json_t *message, json_t *id)
{
	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	json_object_set(message, "id", id != NULL ? id : json_null());
	json_dumpf(message, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(message);
}

/* What has no id is a notification, and gets no answer. */
static void
handle(const char *line, size_t length)
{
	json_t *message = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	json_t *id = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));

	if (message == NULL)
		respond(failure(PARSE_ERROR, "a line is not JSON"), NULL);
	else if (method == NULL)
		respond(failure(INVALID_REQUEST, "a message without method"), id);
	else if (id != NULL)
		respond(dispatch(method, json_object_get(message, "params")), id);
	json_decref(message);
}

int
tp_command_mcp(const struct tp_args *args)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	if (args->paths.count != 0) {
		tp_say("mcp takes no path: its client says in each call what to read");
		return TP_EXIT_USAGE;
	}
	while ((length = getline(&line, &room, stdin)) >= 0) {
		if (length > 1)
			handle(line, (size_t)length);
	}
	free(line);
	return TP_EXIT_OK;
}
