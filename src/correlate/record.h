#pragma once
#include <stddef.h>

#include "base/buffer.h"

/*
 * Texts of records: owned by the record, or protobuf-c's own empty text. What is set is cleaned
 * (see name_copy) and cut at limit bytes; without memory a text is empty.
 */
#define RECORD_NAME_LIMIT    256  /* bytes of names, steps, samples, labels */
#define RECORD_COMMAND_LIMIT 4096 /* bytes of commands and paths */

void record_set(char **field, const char *text, size_t limit);
void record_clear(char **field);

/* A command line, masked, as one text with blanks between arguments; at most limit bytes are
 * appended. */
void record_command(const char *const *argv, size_t argc, size_t limit, struct buffer *out);
