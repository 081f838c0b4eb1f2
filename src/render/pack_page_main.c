/* Runs when tpreport is built: packs the scripts of its pages and hashes what pages hold whole, so that no report has to.
 *
 *     pack_page OUT.c TEMPLATES     writes tp_built_pages (page_files.h) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "codec/base64.h"
#include "render/page_files.h"

enum { RAW_WINDOW = -15, MEMORY_LEVEL = 9, LINE_BYTES = 100 };

struct text {
	char *bytes;
	size_t size;
};

static _Noreturn void
fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *
room_for(void *old, size_t size)
{
	void *room = realloc(old, size != 0 ? size : 1);

	if (room == NULL)
		fail("memory");
	return room;
}

static void
add_file(struct text *t, const char *folder, const char *name)
{
	char path[4096], piece[1 << 14];
	size_t got;

	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		fail("the path is too long");
	FILE *in = fopen(path, "rb");

	if (in == NULL)
		fail(path);
	while ((got = fread(piece, 1, sizeof piece, in)) != 0) {
		t->bytes = room_for(t->bytes, t->size + got);
		memcpy(t->bytes + t->size, piece, got);
		t->size += got;
	}
	if (ferror(in))
		fail(path);
	fclose(in);
}

static struct text
all_of(const struct tp_page_file *files, bool extra, const char *folder)
{
	struct text t = {NULL, 0};

	for (; files->name != NULL; files++) {
		if (extra || !files->extra)
			add_file(&t, folder, files->name);
	}
	return t;
}

/* The code deflated, as base64. */
static struct text
packed(struct text code)
{
	z_stream z = {0};

	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL,
			Z_DEFAULT_STRATEGY) != Z_OK)
		fail("zlib");
	size_t room = deflateBound(&z, code.size);
	unsigned char *bytes = room_for(NULL, room);

	z.next_in = (z_const Bytef *)code.bytes;
	z.avail_in = (uInt)code.size;
	z.next_out = bytes;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		fail("zlib");
	struct text t = {room_for(NULL, TP_BASE64_SIZE(z.total_out)), 0};

	t.size = tp_base64_encode(bytes, z.total_out, t.bytes);
	deflateEnd(&z);
	free(bytes);
	return t;
}

/* What stands on the page. */
static struct text
script_of(struct text code, const char *folder)
{
	struct text unpack = {NULL, 0}, rest = packed(code), t;

	add_file(&unpack, folder, TP_PAGE_UNPACK);
	t.bytes = room_for(NULL, unpack.size + rest.size + sizeof TP_PAGE_RUN);
	t.size = (size_t)snprintf(t.bytes, unpack.size + rest.size + sizeof TP_PAGE_RUN, TP_PAGE_RUN,
		(int)unpack.size, unpack.bytes, (int)rest.size, rest.bytes);
	free(unpack.bytes);
	free(rest.bytes);
	return t;
}

static void
put_literal(FILE *out, struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.bytes[i];

		if (i % LINE_BYTES == 0)
			fputs("\n\t\t\"", out);
		if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
			fprintf(out, "\\%03o", c);
		else
			fputc(c, out);
		if (i % LINE_BYTES == LINE_BYTES - 1 || i + 1 == t.size)
			fputc('"', out);
	}
}

static void
put_page(FILE *out, bool extra, const char *folder)
{
	struct text code = all_of(tp_page_scripts, extra, folder);
	struct text style = all_of(tp_page_styles, extra, folder), script = script_of(code, folder);
	char of_script[TP_PAGE_HASH_SIZE], of_code[TP_PAGE_HASH_SIZE], of_style[TP_PAGE_HASH_SIZE];

	tp_page_hash(script.bytes, script.size, of_script);
	tp_page_hash(code.bytes, code.size, of_code);
	tp_page_hash(style.bytes, style.size, of_style);
	fputs("\t{", out);
	put_literal(out, script);
	fprintf(out, ",\n\t\t%zu, \"%s\",\n\t\t\"%s\",\n\t\t\"%s\"},\n", script.size, of_script,
		of_code, of_style);
	free(code.bytes);
	free(style.bytes);
	free(script.bytes);
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("pack_page OUT.c TEMPLATES\n", stderr);
		return 2;
	}
	FILE *out = fopen(argv[1], "w");

	if (out == NULL)
		fail(argv[1]);
	fputs(
		"/* Written by src/render/pack_page_main.c. */\n#include \"render/page_files.h\"\n\nconst "
		"struct tp_built_page tp_built_pages[2] = {\n",
		out);
	put_page(out, false, argv[2]);
	put_page(out, true, argv[2]);
	fputs("};\n", out);
	if (fclose(out) != 0)
		fail(argv[1]);
	return 0;
}
