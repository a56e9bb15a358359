/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdarg.h>

struct memory_budget;

/*
 * A growable array of bytes with a limit. Invariants: data[len] is always '\0' (data is never NULL
 * after buffer_init), so that the content may be used as a string. After a failed append (no
 * memory, or over the limit) `failed` stays true and later appends do nothing: a caller checks
 * once, at the end.
 */
struct buffer {
	char *data;
	size_t len;
	size_t capacity;
	size_t limit; /* the largest len */
	bool failed;
	bool over_budget;             /* it failed for that */
	struct memory_budget *budget; /* of which the capacity is taken; NULL: none */
};

/* An empty buffer that may grow up to limit bytes (0: 64 MiB). Allocates at the first append. */
void buffer_init(struct buffer *buffer, size_t limit);
/* Frees the content; the buffer may be initialised again. For CLEANUP. */
void buffer_clear(struct buffer *buffer);
/* len = 0, failed = false; keeps the memory. */
void buffer_reset(struct buffer *buffer);

void buffer_append(struct buffer *buffer, const void *bytes, size_t len);
/* Appends len bytes that the caller then writes; NULL if buffer_append would fail. */
void *buffer_extend(struct buffer *buffer, size_t len);
void buffer_append_text(struct buffer *buffer, const char *text);
void buffer_append_char(struct buffer *buffer, char byte);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list args);
/* From now on the buffer, which is empty, takes its memory from a budget, too; an append beyond it
 * fails. */
void buffer_charge(struct buffer *buffer, struct memory_budget *budget);
/* As buffer_take; the bytes that are still taken of the budget are the caller's to give back. */
char *buffer_take_charged(struct buffer *buffer, size_t *ret_charged);
/* Returns the content, NUL-terminated, which the caller free()s, and empties the buffer; NULL if an
 * append failed. */
char *buffer_take(struct buffer *buffer);
