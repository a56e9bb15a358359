/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

/* What an image did with a file since the last such record of it; or, with a path and all else
 * nought, that it uses it. Those of an image come before the record of its end. */
struct probe_file {
	struct probe_key key;
	uint64_t image_seq;
	uint64_t id;      /* the same file has the same one on all of the host; small: of a kind */
	const char *kind; /* file, system, ...: file_decode.c */
	const char *path; /* NULL: not told here */
	uint64_t opens, failures;
	uint64_t moved_bytes; /* by positions */
	uint64_t size_bytes;  /* when it was last closed or looked at */
	uint64_t first_ns, last_ns;
	int error; /* the first errno met; 0: none */
	bool error_is_new;
	bool reads, writes, mapped;
};
