/* The files that a page holds whole: its scripts, which are one on the page, and its style sheets; and what is made of them when the
 * program is built, as they are the same on all pages. */
#ifndef TP_RENDER_PAGE_FILES_H
#define TP_RENDER_PAGE_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct tp_page_file {
	const char *name; /* of the template; NULL ends a list */
	bool extra;       /* only where the page has a timeline (scripts) or views (styles) */
};

/* In the order in which they stand on the page. */
extern const struct tp_page_file tp_page_scripts[], tp_page_styles[];

/* The script that unpacks all others, and what is behind it on the page: the others deflated (RFC 1951), as base64. */
#define TP_PAGE_UNPACK "unpack.js"
#define TP_PAGE_RUN "%.*srunPacked(\"%.*s\");\n"

/* Room for "'sha256-…'", as a Content-Security-Policy names what the page holds itself. */
enum { TP_PAGE_HASH_SIZE = 64 };
void tp_page_hash(const void *data, size_t size, char hash[static TP_PAGE_HASH_SIZE]);

/* Of the program's own files, without the extra ones and with them (pack_page_main.c). Hashes: of the script on the page, of the
 * script that it unpacks, of the style sheet. */
struct tp_built_page {
	const char *script;
	size_t script_bytes;
	const char *script_hash, *code_hash, *style_hash;
};
extern const struct tp_built_page tp_built_pages[2];

#endif
