/* Files that are not on this machine, by their addresses, as if they were: s3://, gs://, Azure's, https://, and what a command gives.
 * An address is one from when tp_remote_take took it from the command line; before, it is a path like any other. Like a file system
 * this is one for the whole program, and may be used by all threads. */
#ifndef TP_IO_REMOTE_H
#define TP_IO_REMOTE_H

#include "base/err.h"
#include "base/slice.h"
#include "io/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tp_arena;

/* What names it from now on: the same without anything secret, which is kept here; a word that is no address is returned as it is.
 * Lives as long as the program. */
const char *tp_remote_take(const char *word);

/* From now on words that are no local paths are given to this shell command in place of {}, which prints the file. TP_ERR_USAGE: there is no
 * {} in it. */
enum tp_status tp_remote_fetch_by(const char *command, struct tp_err *err);

/* Whether path is an address that was taken, or below one. */
bool tp_remote_is(const char *path);

/* Whether there is a file or a folder; err where there is neither, or nobody can say. */
enum tp_place tp_remote_place(const char *path, struct tp_err *err);

/* As tp_list_files, below an address. */
enum tp_status tp_remote_list(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err);

/* As a listing or an answer told; false: not known. */
bool tp_remote_facts(const char *path, struct tp_file_facts *out);

/* Copies the first bytes; how many: fewer only of a shorter file. 0 where there is none. */
size_t tp_remote_head(const char *path, char *to, size_t room);

/* Asks for the first bytes of all of these at a time, so that later nobody waits for one after the other. */
void tp_remote_look(const char *const *paths, size_t count);

/* A file with all bytes, to be read at any place and closed. −1 and err when they cannot be had. */
int tp_remote_open(const char *path, struct tp_err *err);

/* These will be opened about in this order: they are fetched meanwhile, some ahead. Paths that are no addresses are passed over. */
void tp_remote_expect(const char *const *paths, size_t count);

/* Puts bytes in the place of an object, whole or not at all. */
enum tp_status tp_remote_write(const char *path, struct tp_slice bytes, struct tp_err *err);

/* Removes an object. That there is none is as good; who may not is not told: what is removed is a part of something that failed, or is old. */
void tp_remote_remove(const char *path);

/* The objects below an address to which folders can be written; none is no error. */
enum tp_status tp_remote_below(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err);

/* Now and then, while somebody waits, tell is called with what for: in the thread that waits. NULL: nobody wants to know. */
void tp_remote_watch(void (*tell)(void *with, const char *text), void *with);

/* Ends what is on its way: before the program ends. */
void tp_remote_end(void);

#endif
