/* Files of settings as ~/.aws/config: [section], then lines "name = value". */
#ifndef TP_IO_INI_H
#define TP_IO_INI_H

#include "base/slice.h"

/* The value of a name in a section; empty: it is not there. Points into text. */
struct tp_slice tp_ini_value(struct tp_slice text, struct tp_slice section, struct tp_slice name);

#endif
