/* Arena allocation in chunks that double up to a limit; large requests get a chunk of their own. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/pages.h"

enum { FIRST_CHUNK = 16 * 1024, ALIGNMENT = 16 };

struct chunk {
	struct chunk *next;
	size_t size, used;
	bool in_pages; /* of tp_pages_new */
	_Alignas(16) unsigned char data[];
};

/* As many as a large page has. */
enum { LARGEST_CHUNK = TP_PAGES_LARGE - sizeof(struct chunk) };

struct owned {
	struct owned *next;
	void *memory;
};

struct tp_arena {
	struct chunk *head;  /* the chunk that serves small requests */
	struct owned *owned; /* what was made elsewhere */
	struct tp_arena *parent, *children, *sibling;
	size_t next_size;
	size_t used;
};

static void *
must(void *memory)
{
	if (memory == NULL)
		tp_out_of_memory();
	return memory;
}

struct tp_arena *
tp_arena_new(void)
{
	struct tp_arena *a = must(calloc(1, sizeof *a));

	a->next_size = FIRST_CHUNK;
	return a;
}

struct tp_arena *
tp_arena_child(struct tp_arena *parent)
{
	struct tp_arena *a = tp_arena_new();

	a->parent = parent;
	a->sibling = parent->children;
	parent->children = a;
	return a;
}

static void
leave_parent(struct tp_arena *a)
{
	struct tp_arena **at = &a->parent->children;

	while (*at != a)
		at = &(*at)->sibling;
	*at = a->sibling;
}

static void
free_owned(struct tp_arena *a)
{
	for (; a->owned != NULL; a->owned = a->owned->next)
		free(a->owned->memory);
}

static void
free_chunks(struct chunk *c)
{
	while (c != NULL) {
		struct chunk *next = c->next;

		if (c->in_pages)
			tp_pages_free(c, sizeof *c + c->size);
		else
			free(c);
		c = next;
	}
}

void
tp_arena_free(struct tp_arena *a)
{
	if (a == NULL)
		return;
	while (a->children != NULL)
		tp_arena_free(a->children);
	if (a->parent != NULL)
		leave_parent(a);
	free_owned(a);
	free_chunks(a->head);
	free(a);
}

void
tp_arena_reset(struct tp_arena *a)
{
	free_owned(a);
	/* A chunk made for one large request is given back: clearing it would touch memory that nobody ever did. */
	if (a->head != NULL && a->head->size > LARGEST_CHUNK) {
		free_chunks(a->head);
		a->head = NULL;
	}
	if (a->head != NULL) {
		free_chunks(a->head->next);
		a->head->next = NULL;
		memset(a->head->data, 0, a->head->used);
		a->head->used = 0;
	}
	a->used = 0;
}

static struct chunk *
new_chunk(size_t size)
{
	size_t bytes =
		TP_SANITIZED ? sizeof(struct chunk) + size : tp_pages_whole(sizeof(struct chunk) + size);
	bool in_pages = !TP_SANITIZED && bytes >= TP_PAGES_LARGE;

	struct chunk *c = in_pages ? tp_pages_new(bytes) : must(calloc(1, bytes));

	c->size = bytes - sizeof *c;
	c->in_pages = in_pages;
	return c;
}

void *
tp_arena_alloc(struct tp_arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		tp_out_of_memory();
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	a->used += size;
	if (size > LARGEST_CHUNK / 4) {
		struct chunk *own = new_chunk(size);

		own->used = size;
		if (a->head == NULL) {
			a->head = own;
		} else {
			own->next = a->head->next;
			a->head->next = own;
		}
		return own->data;
	}
	if (a->head == NULL || a->head->size - a->head->used < size) {
		size_t next = a->next_size < LARGEST_CHUNK ? a->next_size : LARGEST_CHUNK;
		struct chunk *fresh = new_chunk(next > size ? next : size);

		fresh->next = a->head;
		a->head = fresh;
		if (a->next_size < LARGEST_CHUNK)
			a->next_size *= 2;
	}
	void *memory = a->head->data + a->head->used;

	a->head->used += size;
	return memory;
}

void *
tp_arena_array(struct tp_arena *a, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		tp_out_of_memory();
	return tp_arena_alloc(a, bytes);
}

void
tp_arena_own(struct tp_arena *a, void *memory)
{
	struct owned *o = tp_new(a, struct owned);

	*o = (struct owned){a->owned, memory};
	a->owned = o;
}

void
tp_arena_join(struct tp_arena *a, struct tp_arena *other)
{
	struct chunk **last = &other->head;
	struct owned **last_owned = &other->owned;

	while (*last != NULL)
		last = &(*last)->next;
	while (*last_owned != NULL)
		last_owned = &(*last_owned)->next;
	*last_owned = a->owned;
	a->owned = other->owned;
	/* Behind the chunk that serves small requests. */
	if (a->head == NULL) {
		a->head = other->head;
	} else {
		*last = a->head->next;
		a->head->next = other->head;
	}
	a->used += other->used;
	free(other);
}

size_t
tp_arena_used(const struct tp_arena *a)
{
	return a->used;
}

struct tp_slice
tp_arena_copy(struct tp_arena *a, struct tp_slice s)
{
	char *copy = tp_arena_alloc(a, s.len + 1);

	if (s.len != 0)
		memcpy(copy, s.ptr, s.len);
	return (struct tp_slice){copy, s.len};
}

struct tp_slice
tp_arena_printf(struct tp_arena *a, const char *format, ...)
{
	char brief[512]; /* most texts fit, and are formatted once */
	va_list args;

	va_start(args, format);
	int length = vsnprintf(brief, sizeof brief, format, args);

	va_end(args);
	if (length < 0)
		length = 0;
	if ((size_t)length < sizeof brief)
		return tp_arena_copy(a, (struct tp_slice){brief, (size_t)length});
	char *text = tp_arena_alloc(a, (size_t)length + 1);

	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return (struct tp_slice){text, (size_t)length};
}
