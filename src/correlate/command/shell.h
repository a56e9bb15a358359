/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * What a shell's program text names: its words, quotes taken off, and which belong to one simple
 * command and which command reads from the one before it. Not a shell: substitutions are not
 * followed, and text that is no shell's gives words all the same.
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

/* Reads text (NUL-terminated; beyond the limits it is cut). */
void shell_read(struct shell_text *ret, const char *text);
/* The first command at or behind `from` that names a program, first by its first word, then by any
 * (behind env, xargs …). command_count: none. */
size_t shell_find(const struct shell_text *text, const char *program, size_t from);
/* Whether `to` reads what `from` wrote, through pipes only. */
bool shell_piped(const struct shell_text *text, size_t from, size_t to);
