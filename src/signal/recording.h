/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The file of a recorded run: what agents delivered for it (docs/recorded.md). Eight bytes of magic
 * and version, then one zstd frame with a checksum. It unpacks to parts, each a length (32 bits,
 * little-endian) and so many bytes of protobuf: a Recording, then Batches, then a length of 0.
 * Files come from outside: reading is bounded, and nothing in them is believed unchecked.
 */
#define RECORDING_LIMIT         (256u << 20) /* bytes of a file */
#define RECORDING_HEAD_LIMIT    (64u << 10)  /* bytes of a packed Recording */
#define RECORDING_BATCHES_LIMIT 1000000
#define RECORDING_LEVEL_FAST    3  /* of zstd: for a server that answers */
#define RECORDING_LEVEL_SMALL   19 /* for a file that is kept */

struct recording_writer;

/* Begins a recording that is appended to out (which outlives the writer). -ENOMEM. */
int recording_begin(struct recording_writer **ret, const Signal__Recording *head, int level,
		    struct buffer *out);
/* -EMSGSIZE: the batch is larger than BATCH_UNPACKED_LIMIT; -ENOMEM, also where out is full. */
int recording_add(struct recording_writer *writer, const Signal__Batch *batch);
/* Writes the end; nothing can be added any more. */
int recording_end(struct recording_writer *writer);
void recording_writer_free(struct recording_writer *writer); /* NULL is fine */

struct recording;

/* Reads from bytes, which must outlive it. -EPROTO with words: not a recording, of another version,
 * damaged or cut; -EMSGSIZE over a limit; -ENOMEM. */
int recording_open(struct recording **ret, const void *bytes, size_t len, struct error *err);
/* Valid until recording_close. */
const Signal__Recording *recording_head(const struct recording *recording);
/* 1: *ret is the next batch, checked as batch_unpack checks it (batch_free); 0: the recording ended
 * where it should. Errors as of recording_open. */
int recording_next(struct recording *recording, Signal__Batch **ret, struct error *err);
void recording_close(struct recording *recording); /* NULL is fine */
