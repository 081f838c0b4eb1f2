/* One table of functions, filled once by dlopen and dlsym. */
#include "io/curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static struct tp_curl functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
	const char *name;
	size_t field;
} symbols[] = {
	{"curl_global_init", offsetof(struct tp_curl, global_init)},
	{"curl_easy_init", offsetof(struct tp_curl, easy_init)},
	{"curl_easy_reset", offsetof(struct tp_curl, easy_reset)},
	{"curl_easy_cleanup", offsetof(struct tp_curl, easy_cleanup)},
	{"curl_easy_perform", offsetof(struct tp_curl, easy_perform)},
	{"curl_easy_setopt", offsetof(struct tp_curl, easy_set)},
	{"curl_easy_getinfo", offsetof(struct tp_curl, easy_get)},
	{"curl_easy_strerror", offsetof(struct tp_curl, easy_strerror)},
	{"curl_slist_append", offsetof(struct tp_curl, slist_append)},
	{"curl_slist_free_all", offsetof(struct tp_curl, slist_free_all)},
};

/* Debian has it twice, over OpenSSL and over GnuTLS; either does. */
static void *
open_library(void)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
	void *library = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

static void
load(void)
{
	void *library = open_library();

	if (library == NULL)
		return;
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (symbol == NULL)
			return;
		memcpy((char *)&functions + symbols[i].field, &symbol, sizeof symbol);
	}
	loaded = functions.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const struct tp_curl *
tp_curl(struct tp_err *err)
{
	pthread_once(&once, load);
	if (!loaded) {
		tp_fail(err, TP_ERR_UNSUPPORTED,
			"libcurl is not installed, which reads from servers: apt-get install libcurl4 (elsewhere: the "
			"package with libcurl.so.4)");
		return NULL;
	}
	return &functions;
}
