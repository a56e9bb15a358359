/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/prices/json_scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

/* What a container expects next: a key (of an object), or a value. */
struct level {
	char bracket; /* that closes it */
	bool at_key;
	char key[JSON_SCAN_KEY]; /* of the latest value; "[]" in an array */
};

struct json_scan {
	const struct json_scan_watch *watches;
	size_t count;
	void *context;
	struct level levels[JSON_SCAN_DEPTH];
	size_t depth, line;
	bool in_text, escaped, is_key; /* of the byte before */
	size_t key_len;
	/* The value that is kept, from the container at `kept_depth` on. */
	const struct json_scan_watch *kept;
	size_t kept_depth;
	struct buffer text;
};

struct json_scan *json_scan_new(const struct json_scan_watch *watches, size_t count, void *context)
{
	struct json_scan *scan = calloc(1, sizeof(*scan));

	if (!scan)
		return NULL;
	scan->watches = watches;
	scan->count = count;
	scan->context = context;
	scan->line = 1;
	buffer_init(&scan->text, JSON_SCAN_VALUE);
	return scan;
}

void json_scan_free(struct json_scan *scan)
{
	if (!scan)
		return;
	buffer_clear(&scan->text);
	free(scan);
}

static bool fits(const struct json_scan *scan, const struct json_scan_watch *watch)
{
	size_t i = 0;

	for (; i < scan->depth && i < JSON_SCAN_KEYS; i++)
		if (!watch->path[i] || (strcmp(watch->path[i], "*") != 0 &&
					strcmp(watch->path[i], scan->levels[i].key) != 0))
			return false;
	return i == scan->depth && i > 0 && !watch->path[i];
}

/* A value begins: keeps it where it is asked for. */
static void begin_value(struct json_scan *scan)
{
	const char *key = scan->depth ? scan->levels[scan->depth - 1].key : "";

	for (size_t i = 0; !scan->kept && i < scan->count; i++) {
		const struct json_scan_watch *watch = &scan->watches[i];

		if (!fits(scan, watch) || (watch->wants && !watch->wants(scan->context, key)))
			continue;
		scan->kept = watch;
		scan->kept_depth = scan->depth;
		buffer_reset(&scan->text);
	}
}

static int end_value(struct json_scan *scan, struct error *err)
{
	const struct json_scan_watch *kept = scan->kept;

	if (!kept || scan->depth != scan->kept_depth)
		return 0;
	scan->kept = NULL;
	if (scan->text.failed)
		return error_set(err, -EFBIG, "line %zu: a value of more than 1 MiB", scan->line);
	return kept->value(scan->context, scan->levels[scan->depth - 1].key, scan->text.data,
			   scan->text.len, err);
}

static int broken(const struct json_scan *scan, struct error *err)
{
	return error_set(err, -EINVAL, "line %zu: this is no JSON", scan->line);
}

static int open_bracket(struct json_scan *scan, char byte, struct error *err)
{
	struct level *level;

	if (scan->depth && scan->levels[scan->depth - 1].at_key)
		return broken(scan, err);
	if (scan->depth == JSON_SCAN_DEPTH)
		return error_set(err, -EFBIG, "line %zu: nested too deeply", scan->line);
	begin_value(scan);
	level = &scan->levels[scan->depth++];
	level->bracket = byte == '{' ? '}' : ']';
	level->at_key = byte == '{';
	memcpy(level->key, "[]", 3);
	return 0;
}

static int close_bracket(struct json_scan *scan, char byte, struct error *err)
{
	if (!scan->depth || scan->levels[scan->depth - 1].bracket != byte)
		return broken(scan, err);
	scan->depth--;
	return 0;
}

/* A byte within quotes, or the quote that ends them. */
static int take_quoted(struct json_scan *scan, char byte)
{
	struct level *level = scan->is_key && scan->depth ? &scan->levels[scan->depth - 1] : NULL;

	if (!scan->escaped && byte == '"') {
		scan->in_text = false;
		if (level)
			level->key[scan->key_len] = '\0';
		return level ? 0 : 1;
	}
	scan->escaped = !scan->escaped && byte == '\\';
	if (level && scan->key_len < JSON_SCAN_KEY - 1)
		level->key[scan->key_len++] = byte;
	return 0;
}

static void open_quote(struct json_scan *scan)
{
	scan->in_text = true;
	scan->is_key = scan->depth && scan->levels[scan->depth - 1].at_key;
	scan->key_len = 0;
	if (!scan->is_key)
		begin_value(scan);
}

/* ':' and ',' between keys and values. */
static int separate(struct json_scan *scan, char byte, struct error *err)
{
	struct level *level = scan->depth ? &scan->levels[scan->depth - 1] : NULL;

	if (!level || (byte == ':' && !level->at_key))
		return broken(scan, err);
	level->at_key = byte == ',' && level->bracket == '}';
	return 0;
}

/* A byte outside of quotes. *ret_ended: a value ended with it. */
static int take_plain(struct json_scan *scan, char byte, bool *ret_ended, struct error *err)
{
	switch (byte) {
	case '"':
		open_quote(scan);
		return 0;
	case '{':
	case '[':
		return open_bracket(scan, byte, err);
	case '}':
	case ']':
		*ret_ended = true;
		return close_bracket(scan, byte, err);
	case ':':
	case ',':
		return separate(scan, byte, err);
	case ' ':
	case '\t':
	case '\r':
	case '\n':
		return 0;
	default: /* of a number, true, false or null, of which none is asked for */
		return strchr("+-.0123456789aeflnrstuE", byte) && byte ? 0 : broken(scan, err);
	}
}

static int take(struct json_scan *scan, char byte, struct error *err)
{
	bool ended = false, was_text = scan->in_text;
	int rc = 0;

	scan->line += byte == '\n';
	if (was_text)
		ended = take_quoted(scan, byte) != 0;
	else
		rc = take_plain(scan, byte, &ended, err);
	if (scan->kept)
		buffer_append_char(&scan->text, byte);
	return !rc && ended ? end_value(scan, err) : rc;
}

int json_scan_feed(struct json_scan *scan, const char *bytes, size_t len, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < len; i++)
		rc = take(scan, bytes[i], err);
	return rc;
}

int json_scan_end(struct json_scan *scan, struct error *err)
{
	if (!scan->depth && !scan->in_text)
		return 0;
	return error_set(err, -EINVAL, "line %zu: the file ends too early", scan->line);
}
