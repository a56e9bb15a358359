/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"

#include "base/memory/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LIMIT     ((size_t)64 << 20)
#define SMALLEST_CAPACITY 64

/* data of an empty buffer; never written (capacity is 0). */
static char nothing[1];

void buffer_init(struct buffer *buffer, size_t limit)
{
	*buffer = (struct buffer){ .data = nothing, .limit = limit ? limit : DEFAULT_LIMIT };
}

static void discharge(const struct buffer *buffer)
{
	if (buffer->budget)
		memory_budget_give(buffer->budget, buffer->capacity);
}

void buffer_clear(struct buffer *buffer)
{
	struct memory_budget *budget = buffer->budget;

	if (buffer->capacity) {
		free(buffer->data);
		discharge(buffer);
	}
	buffer_init(buffer, buffer->limit);
	buffer->budget = budget;
}

void buffer_charge(struct buffer *buffer, struct memory_budget *budget)
{
	buffer->budget = budget;
}

void buffer_reset(struct buffer *buffer)
{
	buffer->len = 0;
	buffer->failed = false;
	buffer->over_budget = false;
	if (buffer->capacity)
		buffer->data[0] = '\0';
}

/* Makes room for that many more bytes and the NUL. */
static bool reserve(struct buffer *buffer, size_t more)
{
	size_t capacity = buffer->capacity ? buffer->capacity : SMALLEST_CAPACITY;
	char *data;

	if (buffer->failed || more > buffer->limit - buffer->len) {
		buffer->failed = true;
		return false;
	}
	if (buffer->len + more < buffer->capacity)
		return true;
	while (capacity <= buffer->len + more)
		capacity *= 2;
	if (capacity > buffer->limit + 1)
		capacity = buffer->limit + 1;
	if (buffer->budget && !memory_budget_take(buffer->budget, capacity - buffer->capacity)) {
		buffer->failed = buffer->over_budget = true;
		return false;
	}
	data = realloc(buffer->capacity ? buffer->data : NULL, capacity);
	if (!data) {
		if (buffer->budget)
			memory_budget_give(buffer->budget, capacity - buffer->capacity);
		buffer->failed = true;
		return false;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return true;
}

void *buffer_extend(struct buffer *buffer, size_t len)
{
	char *room;

	if (!reserve(buffer, len))
		return NULL;
	room = buffer->data + buffer->len;
	buffer->len += len;
	buffer->data[buffer->len] = '\0';
	return room;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t len)
{
	char *room = len ? buffer_extend(buffer, len) : NULL;

	if (room)
		memcpy(room, bytes, len);
}

void buffer_append_text(struct buffer *buffer, const char *text)
{
	buffer_append(buffer, text, strlen(text));
}

void buffer_append_char(struct buffer *buffer, char byte)
{
	buffer_append(buffer, &byte, 1);
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len < 0)
		buffer->failed = true;
	if (len <= 0 || !reserve(buffer, (size_t)len))
		return;
	vsnprintf(buffer->data + buffer->len, (size_t)len + 1, format, args);
	buffer->len += (size_t)len;
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buffer_vprintf(buffer, format, args);
	va_end(args);
}

char *buffer_take_charged(struct buffer *buffer, size_t *ret_charged)
{
	char *data = NULL;

	*ret_charged = 0;
	if (!buffer->failed)
		data = buffer->capacity ? buffer->data : calloc(1, 1);
	if (data && buffer->capacity) {
		*ret_charged = buffer->budget ? buffer->capacity : 0;
		buffer->capacity = 0;
	}
	buffer_clear(buffer);
	return data;
}

char *buffer_take(struct buffer *buffer)
{
	struct memory_budget *budget = buffer->budget;
	size_t charged;
	char *data = buffer_take_charged(buffer, &charged);

	if (charged)
		memory_budget_give(budget, charged);
	return data;
}
