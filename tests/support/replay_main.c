/* fuzz_replay TARGET FILE|DIRECTORY…: runs every file through a fuzz target, once each. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int one_input(const uint8_t *data, size_t size);

#define ENTRY(name, run) one_input run;
#include "entries.inc"
#undef ENTRY

static const struct {
	const char *name;
	one_input *run;
} targets[] = {
#define ENTRY(name, run) {#name, run},
#include "entries.inc"
#undef ENTRY
};

/* A file's bytes in a block of exactly its size, so that a sanitizer sees one byte too far. */
static uint8_t *
load(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	if (in == NULL)
		return NULL;

	struct stat st;
	uint8_t *data = NULL;
	if (fstat(fileno(in), &st) == 0) {
		*size = (size_t)st.st_size;
		data = malloc(*size + (*size == 0));
		if (data != NULL && fread(data, 1, *size, in) != *size) {
			free(data);
			data = NULL;
		}
	}
	fclose(in);
	return data;
}

static int
replay(one_input *run, const char *path)
{
	size_t size;
	uint8_t *data = load(path, &size);
	if (data == NULL) {
		perror(path);
		return 1;
	}

	fprintf(stderr, "%s: %zu bytes\n", path, size);
	run(data, size);
	free(data);
	return 0;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
replay_directory(one_input *run, const char *path, int *count)
{
	struct dirent **entries;
	int found = scandir(path, &entries, is_visible, alphasort);
	if (found < 0) {
		perror(path);
		return 1;
	}

	int failed = 0;
	for (int i = 0; i < found; i++) {
		char *file;
		if (asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
			abort();
		failed |= replay(run, file);
		free(file);
		free(entries[i]);
	}
	free(entries);
	*count += found;
	return failed;
}

static one_input *
target_of(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
		if (strcmp(targets[i].name, name) == 0)
			return targets[i].run;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	one_input *run = argc > 1 ? target_of(argv[1]) : NULL;
	int failed = 0;
	int count = 0;

	if (run == NULL) {
		fprintf(stderr, "the first argument is no fuzz target\n");
		return 1;
	}
	for (int i = 2; i < argc; i++) {
		struct stat st;
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			failed |= replay_directory(run, argv[i], &count);
		} else {
			failed |= replay(run, argv[i]);
			count++;
		}
	}
	if (count == 0) {
		fprintf(stderr, "no input: a fuzz target needs at least one file in its corpus\n");
		return 1;
	}
	printf("%d inputs\n", count);
	return failed;
}
