/* Any bytes as a log directory and a command line: which files there are, what is in them, and what is asked. The program itself
 * finds, chooses, merges, analyses and writes.
 *
 * A protobuf message: 1 a file {1 path, 2 bytes}, 2 an option {1 number, 2 value}, 3 the number of a command, 4 a program or a
 * metric for it. */
#include "through.h"

#include "cli/commands.h"
#include "codec/pb_wire.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 16, MOST_OPTIONS = 8, MOST_PATH = 200, DEEPEST = 6, ROOM = 512 };

/* Only what neither writes elsewhere nor reads other files. */
static const char *const options[] = {"--run", "--host", "--worker", "--span", "--graph",
	"--graph-of", "--top", "--peak", "--tpu-ops", "--strict", "--verbose"};
enum { WITH_VALUE = 9, OPTIONS = sizeof options / sizeof *options };

struct words {
	char *at[16 + 2 * MOST_OPTIONS];
	int count;
};

static void
must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "logdir: %s\n", what);
	abort();
}

static void
add_word(struct words *w, const char *first, const char *then, size_t then_size)
{
	must(asprintf(&w->at[w->count++], "%s%.*s", first, (int)then_size, then) >= 0, "no memory");
}

/* A path below root that leads nowhere else; the folders in it are made. */
static bool
make_path(const char *root, struct tp_slice path, char out[static ROOM])
{
	size_t length = (size_t)snprintf(out, ROOM, "%s", root);
	unsigned depth = 0;

	if (path.len == 0 || path.len > MOST_PATH || memchr(path.ptr, '\0', path.len) != NULL)
		return false;
	while (path.len != 0 && depth++ < DEEPEST) {
		const char *slash = memchr(path.ptr, '/', path.len);
		size_t part = slash != NULL ? (size_t)(slash - path.ptr) : path.len;

		if (part == 0 || (part <= 2 && memcmp(path.ptr, "..", part) == 0))
			return false;
		mkdir(out, 0700);
		length += (size_t)snprintf(out + length, ROOM - length, "/%.*s", (int)part, path.ptr);
		path = tp_slice_from(path, part + (slash != NULL));
	}
	return path.len == 0;
}

static void
write_file(const char *root, struct tp_slice message)
{
	struct tp_slice path = {0}, bytes = {0};
	struct tp_pb p = tp_pb_open(message);
	char name[ROOM];

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == 1)
			path = p.bytes;
		else if (p.type == TP_PB_BYTES && p.field == 2)
			bytes = p.bytes;
	}
	FILE *out = make_path(root, path, name) ? fopen(name, "wb") : NULL;

	if (out == NULL)
		return;
	if (bytes.len != 0)
		fwrite(bytes.ptr, 1, bytes.len, out);
	fclose(out);
}

static void
add_option(struct words *w, struct tp_slice message)
{
	struct tp_slice value = {0};
	struct tp_pb p = tp_pb_open(message);
	uint64_t number = 0;
	char option[32];

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT && p.field == 1)
			number = p.number % OPTIONS;
		else if (p.type == TP_PB_BYTES && p.field == 2)
			value = p.bytes;
	}
	snprintf(option, sizeof option, "%s%s", options[number], number < WITH_VALUE ? "=" : "");
	add_word(w, option, value.ptr, number < WITH_VALUE && value.len < MOST_PATH ? value.len : 0);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Where it said that all went well there is a report, and whatever it said, nothing else. */
static void
check_outputs(const char *folder, bool wrote)
{
	DIR *in = opendir(folder);
	size_t reports = 0;

	must(in != NULL, "the folder of outputs is gone");
	for (const struct dirent *e = readdir(in); e != NULL; e = readdir(in)) {
		const char *end = strrchr(e->d_name, '.');

		if (e->d_name[0] == '.')
			continue;
		must(strcmp(end, ".json") == 0 || strcmp(end, ".html") == 0 || strcmp(end, ".hlo") == 0,
			"a temporary file was left");
		reports++;
	}
	closedir(in);
	must(reports != 0 || !wrote, "exit status 0 without a report");
}

/* The program's words go nowhere. */
static int
run(struct words *w)
{
	FILE *out = stdout, *err = stderr, *nowhere = fopen("/dev/null", "w");

	must(nowhere != NULL, "/dev/null cannot be opened");
	stdout = stderr = nowhere;
	int status = tp_cli_main(w->count, w->at);

	stdout = out;
	stderr = err;
	fclose(nowhere);
	return status;
}

enum command { REPORT, GET, HLO, COMMANDS };

/* What the command writes: where the bytes are not rendered (tp_through_formats), one without an output does the rest. */
static enum command
add_outputs(struct words *w, enum command command, const char *out, const char *const *formats)
{
	static const char *const outputs[COMMANDS][2] = {
		[REPORT] = {"r.json", "r.html"}, [HLO] = {"r.hlo"}};

	if (command == REPORT && formats == NULL)
		return GET;
	for (size_t i = 0; i < 2 && outputs[command][i] != NULL; i++) {
		char path[ROOM + 32];

		if (i == 1 && *formats == NULL)
			break;
		snprintf(path, sizeof path, "%s/%s", out, outputs[command][i]);
		add_word(w, "--output=", path, strlen(path));
	}
	return command;
}

/* The command line; writes the files that it is about on the way. */
static enum command
unpack(struct tp_slice message, const char *in, const char *out, struct words *w)
{
	static const char *const commands[COMMANDS] = {"report", "get", "hlo"};
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice about = TP_S("run.devices");
	size_t files = 0, asked = 0;
	enum command command = REPORT;

	add_word(w, "tpreport", "", 0);
	w->count++;
	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == 1 && files++ < MOST_FILES)
			write_file(in, p.bytes);
		else if (p.type == TP_PB_BYTES && p.field == 2 && asked++ < MOST_OPTIONS)
			add_option(w, p.bytes);
		else if (p.type == TP_PB_VARINT && p.field == 3)
			command = (enum command)(p.number % COMMANDS);
		else if (p.type == TP_PB_BYTES && p.field == 4)
			about = p.bytes;
	}
	command = add_outputs(w, command, out, tp_through_formats(message));
	w->at[1] = strdup(commands[command]);
	add_word(w, "--memory-limit=none", "", 0);
	add_word(w, "--quiet", "", 0);
	add_word(w, in, "", 0);
	if (command != REPORT && about.len != 0 && about.len < MOST_PATH && about.ptr[0] != '-')
		add_word(w, "", about.ptr, about.len);
	return command;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char root[] = "/tmp/tpreport-fuzz-XXXXXX", in[ROOM], out[ROOM];
	struct words w = {.count = 0};

	must(mkdtemp(root) != NULL, "no temporary folder");
	snprintf(in, sizeof in, "%s/in", root);
	snprintf(out, sizeof out, "%s/out", root);
	must(mkdir(in, 0700) == 0 && mkdir(out, 0700) == 0, "no folders");
	enum command command = unpack((struct tp_slice){(const char *)data, size}, in, out, &w);
	int status = run(&w);

	must(status == TP_EXIT_OK || (status >= TP_EXIT_USAGE && status <= TP_EXIT_DAMAGED) ||
			status == 6,
		"an exit status that no input may cause");
	check_outputs(out, command == REPORT && status == TP_EXIT_OK);
	for (int i = 0; i < w.count; i++)
		free(w.at[i]);
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
