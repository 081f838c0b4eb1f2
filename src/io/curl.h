/* libcurl, loaded when something is first asked of a server: the program starts without it, and runs where there is none. */
#ifndef TP_IO_CURL_H
#define TP_IO_CURL_H

#include "base/err.h"

#include <curl/curl.h>

/* The functions of libcurl that are used, under their names without "curl_". */
struct tp_curl {
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	void (*easy_reset)(CURL *easy);
	void (*easy_cleanup)(CURL *easy);
	CURLcode (*easy_perform)(CURL *easy);
	CURLcode (*easy_set)(CURL *easy, CURLoption option, ...);
	CURLcode (*easy_get)(CURL *easy, CURLINFO info, ...);
	const char *(*easy_strerror)(CURLcode code);
	struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
	void (*slist_free_all)(struct curl_slist *list);
};

/* NULL, with what to install in err, where there is no libcurl. Safe in any thread. */
const struct tp_curl *tp_curl(struct tp_err *err);

#endif
