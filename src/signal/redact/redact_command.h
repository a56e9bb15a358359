/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which command an argument vector runs, also behind "sudo -n", "timeout 60", "docker exec x". */

/* How far into an argument vector a command may begin: "singularity exec -B … image curl". */
#define REDACT_COMMAND_DEPTH 16

struct redact_command {
	const char *const *args;
	size_t count;
	const char *names[REDACT_COMMAND_DEPTH]; /* of the first arguments: the last of a path */
	uint64_t filter; /* of how they begin: most commands of a table are ruled out by it */
	size_t options, options_end; /* of the table of options those that may matter */
};

/* args stay the caller's, and as they are for as long. */
void redact_command_init(struct redact_command *command, const char *const *args, size_t count);
/* How a name begins, as one of 64 bits. */
static inline uint64_t redact_command_bit(const char *name)
{
	unsigned char first = (unsigned char)name[0];

	return UINT64_C(1) << ((first * 7u + (first ? (unsigned char)name[1] : 0u)) % 64);
}
/* false: none of the first arguments calls this. Quick. */
static inline bool redact_command_may_run(const struct redact_command *command, const char *name)
{
	return command->filter & redact_command_bit(name);
}
/* Does one of the first arguments, before `at`, call this? */
bool redact_command_runs(const struct redact_command *command, size_t at, const char *name);
/* Is one of the first arguments this word? */
bool redact_command_has(const struct redact_command *command, const char *word);
