/* Where a list or an object of JSON ends: the inner loop of reading events, whose shapes and types are lists. */
#ifndef TP_CODEC_JSON_LIST_H
#define TP_CODEC_JSON_LIST_H

/* Brackets within brackets, at most. */
enum { TP_JSON_DEEPEST_LIST = 64 };

/* Behind the list or object that begins at `at`. NULL: it does not end sixteen bytes before `end`, is nested deeper than
 * TP_JSON_DEEPEST_LIST, has brackets that do not match, or a backslash in it or right behind it. */
const char *tp_json_behind_list(const char *at, const char *end);

#endif
