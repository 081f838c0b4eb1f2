/* A number with a unit, as ulimit and containers count: 1 K is 1024 bytes. */
#include "cli/memory_limit.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Of what is allowed; the rest is for the kernel's copy of the files that are read, and for other programs. */
enum { DEFAULT_PERCENT = 80 };

static bool
parse(const char *word, uint64_t *out_bytes)
{
	static const char units[] = "KMGT";
	char *end;

	errno = 0;
	double number = strtod(word, &end);

	if (!isdigit((unsigned char)word[0]) || errno != 0)
		return false;
	const char *unit = *end != '\0' ? strchr(units, toupper((unsigned char)*end)) : NULL;

	for (ptrdiff_t i = 0; unit != NULL && i <= unit - units; i++)
		number *= 1024;
	end += unit != NULL;
	end += unit != NULL && strcmp(end, "iB") == 0 ? 2 : 0;
	*out_bytes = number < 0x1p63 ? (uint64_t)number : UINT64_MAX;
	return *end == '\0' && number >= 1;
}

enum tp_status
tp_memory_limit_take(const char *word, struct tp_err *err)
{
	uint64_t limit_bytes, allowed_bytes = tp_memory_allowed_bytes();

	if (word != NULL && strcmp(word, "none") == 0)
		return TP_OK;
	if (word == NULL)
		limit_bytes =
			allowed_bytes == UINT64_MAX ? UINT64_MAX : allowed_bytes / 100 * DEFAULT_PERCENT;
	else if (!parse(word, &limit_bytes))
		return tp_fail(err, TP_ERR_USAGE,
			"--memory-limit %s: give a size with its unit, as 4G or 500M, or none", word);
	tp_memory_limit(limit_bytes);
	return TP_OK;
}
