/* The file in a folder of files which lists the others, so that nobody's own files are ever removed with those of an earlier report. */
#ifndef TP_IO_FOLDER_LIST_H
#define TP_IO_FOLDER_LIST_H

struct tp_strings;

#define TP_FOLDER_LIST ".tpreport"

/* Its first line. */
extern const char *const tp_folder_list_head;

/* Puts the names in an open list into names, and closes it; none where it is not one of ours, or fd is < 0. */
void tp_folder_list_read(int fd, struct tp_strings *names);

#endif
