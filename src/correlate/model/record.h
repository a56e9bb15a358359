/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"

/*
 * Texts of records: owned by the record, or protobuf-c's own empty text. What is set is masked,
 * cleaned (see name_copy) and cut at limit bytes; without memory a text is empty.
 */
#define RECORD_NAME_LIMIT    256  /* bytes of names, steps, samples, labels */
#define RECORD_COMMAND_LIMIT 4096 /* bytes of commands and paths */

void record_set(char **field, const char *text, size_t limit);
/* What needs no mask: ids and words of ours, and what is masked already (a command line's arguments
 * cannot be told apart any more). */
void record_keep(char **field, const char *text, size_t limit);
void record_clear(char **field);

/* A value, masked as in KEY=VALUE. */
void record_set_value(char **field, const char *key, const char *value, size_t limit);
/* A masked command line (NULL: nothing), as one text with blanks between arguments; at most limit
 * bytes are appended. */
void record_command(const char *const *masked, size_t argc, size_t limit, struct buffer *out);
/* The program text of a shell of its own, masked; likewise. */
void record_program(const char *program, size_t limit, struct buffer *out);
