/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* A line of inventory/inventory.h, as the lake believes it: what came from outside is checked. */
#define INVENTORY_NAME 256 /* bytes of the name of an account */

struct inventory_row {
	enum inventory_kind {
		INVENTORY_MACHINE,
		INVENTORY_VOLUME,
		INVENTORY_REGION,
		INVENTORY_LISTING,
	} kind;
	char account[INVENTORY_NAME], error[1024]; /* error: of a region or listing; "": none */
};

/* Appends the line to out, with the fields of its kind alone, each of its type, and with a line
 * break. -EPROTO with words: it is no such line, and nothing is appended; -ENOMEM. */
int inventory_row_read(const char *line, size_t len, struct buffer *out, struct inventory_row *ret,
		       struct error *err);
