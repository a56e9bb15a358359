/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * The sample or shard that a task works on, by its command line: the word in which it differs from
 * another task of its step.
 */
#define SAMPLE_SIZE 65 /* bytes with the NUL */

struct rules;

/* Finds the sample of `command` by comparing it with `other`, a command line of the same step.
 * Returns sample; "": nothing differs. */
char *sample_between(const struct rules *rules, const char *command, const char *other,
		     char sample[SAMPLE_SIZE]);
/* Finds the sample in an engine's wildcards "NAME=VALUE,NAME=VALUE": the value of the wildcard with
 * "sample" in its name, or else all values, joined. Returns sample. */
char *sample_of_wildcards(const char *wildcards, char sample[SAMPLE_SIZE]);
