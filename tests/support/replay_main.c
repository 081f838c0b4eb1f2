/* Runs every file of the given files and directories through a fuzz target, once each. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
replay(const char *path)
{
	size_t size;
	uint8_t *data = load(path, &size);
	if (data == NULL) {
		perror(path);
		return 1;
	}

	fprintf(stderr, "%s: %zu bytes\n", path, size);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
replay_directory(const char *path, int *count)
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
		failed |= replay(file);
		free(file);
		free(entries[i]);
	}
	free(entries);
	*count += found;
	return failed;
}

int
main(int argc, char **argv)
{
	int failed = 0;
	int count = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			failed |= replay_directory(argv[i], &count);
		} else {
			failed |= replay(argv[i]);
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
