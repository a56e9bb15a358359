/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Splits a shell's program text into words without quotes, and into simple commands with the pipes
 * between them. It is no complete parser: substitutions are not followed, and any text gives words.
 */
#define SHELL_TEXT_LIMIT    4096 /* bytes read */
#define SHELL_WORD_LIMIT    512
#define SHELL_COMMAND_LIMIT 128

struct shell_command {
	size_t first, end; /* words */
	bool piped;        /* reads from the command before it */
};

struct shell_text {
	char bytes[SHELL_TEXT_LIMIT + SHELL_WORD_LIMIT + 1]; /* the words, NUL-terminated */
	const char *words[SHELL_WORD_LIMIT];
	size_t word_count;
	struct shell_command commands[SHELL_COMMAND_LIMIT];
	size_t command_count;
};

/* Reads text (NUL-terminated; cut at the limits). */
void shell_read(struct shell_text *ret, const char *text);
/* The first command at or after `from` that has the program as its first word, or else as any word
 * (behind env, xargs …). command_count: none. */
size_t shell_find(const struct shell_text *text, const char *program, size_t from);
/* Whether pipes lead from the output of `from` to the input of `to`. */
bool shell_piped(const struct shell_text *text, size_t from, size_t to);
