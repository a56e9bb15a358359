#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "signal/redact_option.h"

#define REDACT_WORD_SIZE 32

/* Secrets in a shell's script that only the command tells that they are given to: "curl -u X".
 * Begin with .text set and all else zero. */
struct redact_shell {
	const char *text;
	size_t at;                                   /* read so far */
	size_t value, end;                           /* the secret found last: text[value, end) */
	char words[COMMAND_DEPTH][REDACT_WORD_SIZE]; /* of this command; of paths the last name */
	size_t count;
	char option[REDACT_WORD_SIZE]; /* the word before */
};

/* Is args[at] the script of a shell: "bash -ec SCRIPT"? */
bool redact_shell_runs(const char *const *args, size_t at);
/* Finds the next secret; false: there is none. */
bool redact_shell_next(struct redact_shell *shell);
