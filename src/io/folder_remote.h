/* Folders of files in a store: file by file, their list last. */
#ifndef TP_IO_FOLDER_REMOTE_H
#define TP_IO_FOLDER_REMOTE_H

#include "base/err.h"

struct tp_arena;
struct tp_strings;

/* Whether there is nothing below an address, or a folder that was written so: old gets the names of its files. TP_ERR_IO and err: there is
 * something else, or nobody can say. */
enum tp_status tp_folder_remote_check(
	struct tp_arena *arena, const char *path, struct tp_strings *old, struct tp_err *err);

/* Sends the files that the list in an open folder names, then the list; removes what is old and not among them. Whatever goes wrong, also a
 * signal that ends the program, what was sent is removed. */
enum tp_status tp_folder_remote_put(
	int folder, const char *path, const struct tp_strings *old, struct tp_err *err);

#endif
