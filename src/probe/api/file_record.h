/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

/* The use of one file by an image since its last such record; with a path and zero counts: the
 * image uses the file. The records of an image precede the record of its end. */
struct probe_file {
	struct probe_key key;
	uint64_t image_seq;
	uint64_t id;      /* the same for all processes of the host; a small number is a kind */
	const char *kind; /* file, system, ...: file_decode.c */
	const char *path; /* NULL: not in this record */
	uint64_t opens, failures;
	uint64_t moved_bytes; /* read and written, by the positions of descriptors */
	uint64_t size_bytes;  /* when it was last closed or sampled */
	uint64_t first_ns, last_ns;
	int error; /* errno of the first failure; 0: none */
	bool error_is_new;
	bool reads, writes, mapped;
};
