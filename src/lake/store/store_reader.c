/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/store_reader.h"

#include <stddef.h>

static _Thread_local struct store_reader *current;

void store_reader_use(struct store_reader *reader)
{
	current = reader;
}

struct store_reader *store_reader_current(void)
{
	return current;
}
