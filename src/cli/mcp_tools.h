/* The tools that `tpreport mcp` offers: calls of the program itself that read and write no file. */
#ifndef TP_CLI_MCP_TOOLS_H
#define TP_CLI_MCP_TOOLS_H

#include <jansson.h>

/* What tools/list answers: an array of tools with the schema of their arguments. */
json_t *tp_mcp_tools(void);

/* What tools/call answers: the text, with isError where the program failed or the arguments are wrong. NULL: there is no such tool. */
json_t *tp_mcp_call(const char *name, const json_t *arguments);

#endif
