/* One table of functions, filled once. */
#include "io/curl.h"

#include "io/library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static struct tp_curl functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct tp_symbol symbols[] = {
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
static void
load(void)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};

	loaded = tp_library_load(names, symbols, sizeof symbols / sizeof *symbols, &functions) &&
		functions.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
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
