/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdarg.h>

/*
 * A growable run of bytes with a cap. Invariants: data[len] is always '\0' (data is never NULL
 * after buffer_init), so that a text may be used in place; once an append failed (memory, or over
 * limit) `failed` stays true, later appends do nothing, so that the caller checks once, at the
 * end.
 */
struct buffer {
	char *data;
	size_t len;
	size_t capacity;
	size_t limit; /* bytes that len may reach */
	bool failed;
};

/* An empty buffer that may grow up to limit bytes (0: 64 MiB). Needs no memory until something is
 * appended. */
void buffer_init(struct buffer *buffer, size_t limit);
/* Frees what it holds; the buffer may be initialised again. For CLEANUP. */
void buffer_clear(struct buffer *buffer);
/* len = 0, failed = false; keeps the memory. */
void buffer_reset(struct buffer *buffer);

void buffer_append(struct buffer *buffer, const void *bytes, size_t len);
/* Room for len bytes that the caller writes; NULL where buffer_append would have failed. */
void *buffer_extend(struct buffer *buffer, size_t len);
void buffer_append_text(struct buffer *buffer, const char *text);
void buffer_append_char(struct buffer *buffer, char byte);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list args);
/* Gives the bytes to the caller (free()), NUL-terminated, and empties the buffer; NULL if it had
 * failed. */
char *buffer_take(struct buffer *buffer);
