/* Widths as Unicode has them (UAX #11, East Asian Width), in any locale. */
#include "chart/columns.h"

#include <glib.h>

unsigned
tp_columns_of(uint32_t character)
{
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}
