/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/config/config.h"
#include "base/config/config_value.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#define FILE_LIMIT  ((size_t)1 << 20)
#define KEY_SIZE    128
#define DEPTH_LIMIT 8

/* One file being read. key is the dotted path of the reader's position. */
struct reader {
	yaml_parser_t parser;
	yaml_event_t event; /* the current event */
	const char *path;
	void *settings;
	const struct config_option *options;
	size_t count;
	char key[KEY_SIZE];
	bool seen[CONFIG_OPTIONS_LIMIT]; /* by the option's place in the table */
	struct error *err;
};

static size_t line_of(const struct reader *reader)
{
	return reader->event.start_mark.line + 1;
}

/* Moves to the next event. */
static int next(struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;

	yaml_event_delete(&reader->event);
	if (yaml_parser_parse(&reader->parser, &reader->event))
		return 0;
	return error_set(reader->err, -EINVAL, "%s:%zu: this is no YAML: %s", reader->path,
			 parser->problem_mark.line + 1,
			 parser->problem ? parser->problem : "it cannot be read");
}

static int unknown_key(const struct reader *reader, size_t line)
{
	const char *keys[CONFIG_OPTIONS_LIMIT], *nearest;

	for (size_t i = 0; i < reader->count; i++)
		keys[i] = reader->options[i].key;
	nearest = text_nearest(reader->key, keys, reader->count);
	if (nearest)
		return error_set(reader->err, -EINVAL,
				 "%s:%zu: unknown key '%s'; did you mean '%s'?", reader->path, line,
				 reader->key, nearest);
	return error_set(reader->err, -EINVAL,
			 "%s:%zu: unknown key '%s'; --help lists those there are", reader->path,
			 line, reader->key);
}

static const struct config_option *find_key(const struct reader *reader)
{
	for (size_t i = 0; i < reader->count; i++) {
		if (!strcmp(reader->options[i].key, reader->key))
			return &reader->options[i];
	}
	return NULL;
}

/* "ship:" with nothing (or only comments) below it. */
static bool is_empty_group(const struct reader *reader)
{
	size_t len = strlen(reader->key);

	if (reader->event.data.scalar.length)
		return false;
	for (size_t i = 0; i < reader->count; i++) {
		if (text_starts_with(reader->options[i].key, reader->key) &&
		    reader->options[i].key[len] == '.')
			return true;
	}
	return false;
}

static int read_scalar(struct reader *reader, size_t key_line)
{
	const struct config_option *option = find_key(reader);
	const char *text = (const char *)reader->event.data.scalar.value;
	struct error why;
	int r;

	if (!option)
		return is_empty_group(reader) ? 0 : unknown_key(reader, key_line);
	if (reader->seen[option - reader->options])
		return error_set(reader->err, -EINVAL, "%s:%zu: '%s' is given twice", reader->path,
				 key_line, reader->key);
	reader->seen[option - reader->options] = true;
	if (strlen(text) != reader->event.data.scalar.length)
		return error_set(reader->err, -EINVAL, "%s:%zu: '%s' holds a NUL", reader->path,
				 line_of(reader), reader->key);
	r = config_set(reader->settings, option, text, &why);
	return r ? error_set(reader->err, r, "%s:%zu: %s", reader->path, line_of(reader),
			     error_text(&why))
		 : 0;
}

/* Replaces the key after its first prefix bytes by the current scalar; '_' counts as '-'. */
static int enter_key(struct reader *reader, size_t prefix)
{
	const yaml_event_t *event = &reader->event;
	int len;

	if (event->type != YAML_SCALAR_EVENT)
		return error_set(reader->err, -EINVAL, "%s:%zu: a key must be a plain word",
				 reader->path, line_of(reader));
	len = snprintf(reader->key + prefix, KEY_SIZE - prefix, "%s%s", prefix ? "." : "",
		       (const char *)event->data.scalar.value);
	if (len < 0 || (size_t)len >= KEY_SIZE - prefix)
		return error_set(reader->err, -EINVAL, "%s:%zu: the key is too long: '%.40s…'",
				 reader->path, line_of(reader), reader->key);
	for (char *byte = reader->key + prefix; *byte; byte++)
		*byte = (char)(*byte == '_' ? '-' : *byte);
	return next(reader);
}

static int read_mapping(struct reader *reader, unsigned depth);

static int read_value(struct reader *reader, size_t key_line, unsigned depth)
{
	if (reader->event.type == YAML_SCALAR_EVENT)
		return read_scalar(reader, key_line);
	if (reader->event.type == YAML_MAPPING_START_EVENT)
		return read_mapping(reader, depth + 1);
	if (!find_key(reader))
		return unknown_key(reader, key_line);
	return error_set(reader->err, -EINVAL, "%s:%zu: '%s' must be one value, not %s",
			 reader->path, line_of(reader), reader->key,
			 reader->event.type == YAML_ALIAS_EVENT ? "an alias" : "a list");
}

/* From the mapping's start to its end, which is then the reader's position. */
static int read_mapping(struct reader *reader, unsigned depth)
{
	size_t prefix = strlen(reader->key);
	int r;

	if (depth > DEPTH_LIMIT)
		return error_set(reader->err, -EINVAL, "%s:%zu: nested too deeply", reader->path,
				 line_of(reader));
	r = next(reader);
	while (!r && reader->event.type != YAML_MAPPING_END_EVENT) {
		size_t line = line_of(reader);

		r = enter_key(reader, prefix);
		if (!r)
			r = read_value(reader, line, depth);
		reader->key[prefix] = '\0';
		if (!r)
			r = next(reader);
	}
	return r;
}

static int read_document(struct reader *reader)
{
	int r = next(reader);

	/* An empty document is one empty scalar. */
	if (!r && reader->event.type == YAML_SCALAR_EVENT && !reader->event.data.scalar.length)
		r = next(reader);
	else if (!r && reader->event.type != YAML_MAPPING_START_EVENT)
		r = error_set(reader->err, -EINVAL, "%s:%zu: 'key: value' lines are expected",
			      reader->path, line_of(reader));
	else if (!r)
		r = read_mapping(reader, 0);
	return r;
}

static int read_stream(struct reader *reader)
{
	bool had_document = false;
	int r = next(reader);

	while (!r && reader->event.type != YAML_STREAM_END_EVENT) {
		if (reader->event.type == YAML_DOCUMENT_START_EVENT && had_document)
			r = error_set(reader->err, -EINVAL, "%s:%zu: a second document begins",
				      reader->path, line_of(reader));
		else if (reader->event.type == YAML_DOCUMENT_START_EVENT)
			r = read_document(reader);
		had_document = had_document || reader->event.type != YAML_STREAM_START_EVENT;
		if (!r)
			r = next(reader);
	}
	return r;
}

int config_file(void *settings, const struct config_option *options, size_t count, const char *path,
		struct error *err)
{
	struct reader reader = { .path = path,
				 .settings = settings,
				 .options = options,
				 .count = count < CONFIG_OPTIONS_LIMIT ? count
								       : CONFIG_OPTIONS_LIMIT,
				 .err = err };
	CLEANUP(freep) char *text = NULL;
	size_t len;
	int r = file_read(AT_FDCWD, path, FILE_LIMIT, &text, &len);

	if (r == -EFBIG)
		return error_set(err, r, "%s: more than 1 MiB is no configuration", path);
	if (r)
		return error_set(err, r, "%s: %s", path, strerror(-r));
	if (!yaml_parser_initialize(&reader.parser))
		return error_set(err, -ENOMEM, "%s: no memory to read it", path);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, len);
	r = read_stream(&reader);
	yaml_event_delete(&reader.event);
	yaml_parser_delete(&reader.parser);
	return r;
}
