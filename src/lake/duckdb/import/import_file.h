/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What a file is by its first bytes, and whether it is complete, as far as its bytes say. */
enum import_file_type { IMPORT_CSV, IMPORT_PARQUET, IMPORT_JSON };

/* Looks at a file that is not packed. -EPROTO with words: it is empty, or was cut: a Parquet file
 * without its last bytes, a text without a line break at its end. */
int import_file_look(const char *path, enum import_file_type *ret, struct error *err);

/* Whether the file is packed by gzip. -errno with words. */
int import_file_is_packed(const char *path, bool *ret, struct error *err);
/* Unpacks it into a new file. -EPROTO with words: it was cut, is damaged, or has more than `limit`
 * bytes unpacked. An error leaves no file. */
int import_file_unpack(const char *path, const char *to, uint64_t limit, struct error *err);
