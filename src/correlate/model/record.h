/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"

/*
 * Texts of records: owned by the record, or protobuf-c's own empty text. record_set masks a text,
 * cleans it (name_copy) and cuts it at limit bytes; without memory the text is empty.
 */
#define RECORD_NAME_LIMIT    256  /* bytes of names, steps, samples, labels */
#define RECORD_COMMAND_LIMIT 4096 /* bytes of commands and paths */

void record_set(char **field, const char *text, size_t limit);
/* For texts that need no mask: ids, our own words, and texts that are masked already (a masked
 * command line cannot be split into arguments again). */
void record_keep(char **field, const char *text, size_t limit);
void record_clear(char **field);

/* A value, masked as in KEY=VALUE. */
void record_set_value(char **field, const char *key, const char *value, size_t limit);
/* Appends a masked command line (NULL: nothing) as one text with blanks between arguments, at most
 * limit bytes. */
void record_command(const char *const *masked, size_t argc, size_t limit, struct buffer *out);
/* Masks the program text of a shell and appends it, at most limit bytes. */
void record_program(const char *program, size_t limit, struct buffer *out);
