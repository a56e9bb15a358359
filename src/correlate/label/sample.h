/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Which sample or shard a task works on, as far as its command line tells: the word in which it
 * differs from another task of its step.
 */
#define SAMPLE_SIZE 65 /* bytes with the NUL */

struct rules;

/* The sample of `command` beside `other`, a command line of the same step. Returns sample; "" where
 * nothing differs. */
char *sample_between(const struct rules *rules, const char *command, const char *other,
		     char sample[SAMPLE_SIZE]);
/* The sample that an engine's wildcards "NAME=VALUE,NAME=VALUE" name: the value of the one called
 * like a sample, else of all, joined. Returns sample. */
char *sample_of_wildcards(const char *wildcards, char sample[SAMPLE_SIZE]);
