/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_word.h"

#define REDACT_SHELL_WORD  32 /* bytes of a word that are read */
#define REDACT_SHELL_WORDS 32 /* of a command; of a longer one the first and the last count */

struct redact_shell_word {
	size_t begin, end;            /* its place, with its quotes */
	char text[REDACT_SHELL_WORD]; /* without them; of a path the last name */
};

/* Secrets in a shell's script that are recognised by the command that gets them: "curl -u X",
 * "echo X | sudo -S". Begin with .text (and .at) set and all else zero. */
struct redact_shell {
	const char *text;
	size_t at;                                          /* read so far */
	struct redact_place secret;                         /* found last */
	struct redact_shell_word words[REDACT_SHELL_WORDS]; /* of this command */
	size_t count, judged;
	bool is_piped; /* into the next command, */
	bool is_read;  /* which reads a password there */
};

/* Finds the next secret; false: there is none. */
bool redact_shell_next(struct redact_shell *shell);
