/* The few functions of OpenSSL's libcrypto that sign (https://docs.openssl.org/3.0/man3/EVP_DigestSignInit/), by dlopen; their types are
 * opaque, so no header is needed to build. */
#include "io/rs256.h"

#include "base/arena.h"
#include "io/library.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct crypto {
	void *(*new_bio)(const void *bytes, int length);
	int (*free_bio)(void *bio);
	void *(*read_key)(void *bio, void **key, void *ask_password, void *with);
	void (*free_key)(void *key);
	const void *(*sha256)(void);
	void *(*new_context)(void);
	void (*free_context)(void *context);
	int (*init)(void *context, void **key_context, const void *digest, void *engine, void *key);
	int (*sign)(void *context, unsigned char *signature, size_t *size, const unsigned char *text,
		size_t text_size);
};

static struct crypto crypto;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct tp_symbol symbols[] = {
	{"BIO_new_mem_buf", offsetof(struct crypto, new_bio)},
	{"BIO_free", offsetof(struct crypto, free_bio)},
	{"PEM_read_bio_PrivateKey", offsetof(struct crypto, read_key)},
	{"EVP_PKEY_free", offsetof(struct crypto, free_key)},
	{"EVP_sha256", offsetof(struct crypto, sha256)},
	{"EVP_MD_CTX_new", offsetof(struct crypto, new_context)},
	{"EVP_MD_CTX_free", offsetof(struct crypto, free_context)},
	{"EVP_DigestSignInit", offsetof(struct crypto, init)},
	{"EVP_DigestSign", offsetof(struct crypto, sign)},
};

static void
load(void)
{
	static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", NULL};

	loaded = tp_library_load(names, symbols, sizeof symbols / sizeof *symbols, &crypto);
}

/* A key that asks for a password is none of a service account. */
static int
no_password(char *to, int room, int writing, void *with)
{
	(void)to, (void)room, (void)writing, (void)with;
	return 0;
}

static void *
read_key(struct tp_slice pem)
{
	int (*ask)(char *, int, int, void *) = no_password;
	void *bio = pem.len <= INT_MAX ? crypto.new_bio(pem.ptr, (int)pem.len) : NULL, *key, *function;

	memcpy(&function, &ask, sizeof function);
	key = bio != NULL ? crypto.read_key(bio, NULL, function, NULL) : NULL;
	crypto.free_bio(bio);
	return key;
}

static struct tp_slice
sign_by(struct tp_arena *arena, void *key, struct tp_slice text)
{
	void *context = crypto.new_context();
	const unsigned char *bytes = (const unsigned char *)text.ptr;
	size_t size = 0;
	unsigned char *signature = NULL;
	bool able = context != NULL && crypto.init(context, NULL, crypto.sha256(), NULL, key) == 1 &&
		crypto.sign(context, NULL, &size, bytes, text.len) == 1;

	if (able) {
		signature = tp_arena_alloc(arena, size);
		able = crypto.sign(context, signature, &size, bytes, text.len) == 1;
	}
	crypto.free_context(context);
	return (struct tp_slice){(const char *)signature, able ? size : 0};
}

struct tp_slice
tp_rs256_sign(struct tp_arena *arena, struct tp_slice pem, struct tp_slice text, const char **why)
{
	struct tp_slice none = {"", 0};
	void *key;

	pthread_once(&once, load);
	if (!loaded) {
		*why =
			"signing with it takes OpenSSL's libcrypto, which is not installed: apt-get install libssl3 "
			"(elsewhere: the package with libcrypto.so.3)";
		return none;
	}
	*why = "it holds no private key that can be read";
	key = read_key(pem);
	if (key == NULL)
		return none;
	none = sign_by(arena, key, text);
	crypto.free_key(key);
	return none;
}
