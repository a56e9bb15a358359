/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "cloud/prices/price_file.h"

/* Reads a provider's price file (cloud/prices/price_file.h), of any size, into the CSV that the
 * lake takes. "-": standard input. -errno, with a message that names the file. */
int price_list_read(const char *path, struct buffer *csv, struct price_summary *ret,
		    struct error *err);
