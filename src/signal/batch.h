/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory/arena.h"
#include "signal.pb-c.h"

/*
 * The unit of delivery: a Signal__Batch as protobuf in one zstd frame. Both directions are bounded;
 * what comes from outside may be hostile.
 */
#define BATCH_PACKED_LIMIT   (4u << 20)  /* bytes on the wire */
#define BATCH_UNPACKED_LIMIT (32u << 20) /* bytes after zstd */

/* Appends the compressed bytes to out. -EMSGSIZE over a limit, -ENOMEM. The agent packs a batch as
 * its records come, and takes batch_compress; batch_pack is for who has one whole, as tests do. */
int batch_compress(const void *bytes, size_t len, struct buffer *out);
int batch_pack(const Signal__Batch *batch, struct buffer *out);
/* Reads one. *ret is freed with batch_free. -EPROTO with words: not zstd, not this protobuf; texts
 * that are no UTF-8 are repaired (U+FFFD), not refused; -EMSGSIZE over a limit (checked before
 * memory is taken). */
int batch_unpack(const void *bytes, size_t len, Signal__Batch **ret, struct error *err);
/* The same, with all of its memory in an arena that is empty: *ret is never freed, but with the
 * arena, also after an error. Its texts may be replaced by others of the arena. *ret_size: its
 * bytes after zstd. */
int batch_unpack_into(struct arena *arena, const void *bytes, size_t len, Signal__Batch **ret,
		      size_t *ret_size, struct error *err);
/* As batch_unpack for the protobuf that a batch's zstd frame holds. */
int batch_parse(const void *bytes, size_t len, Signal__Batch **ret, struct error *err);
void batch_free(Signal__Batch *batch); /* NULL is fine */
/* How many records it holds, all kinds. */
size_t batch_records(const Signal__Batch *batch);
/* Any protobuf message as JSON, by its descriptor: names as in signal.proto, *_at as RFC 3339,
 * Figures inline. */
struct json;
void batch_write_json(const ProtobufCMessage *message, struct json *json);
