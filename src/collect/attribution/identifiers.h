/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Identifiers that work has in its environment: SLURM_JOB_ID and similar ones. Of an environment
 * exactly the variables of a list are read, and nothing else is kept.
 */
#define IDENTIFIERS_MAX         32
#define IDENTIFIER_NAME_LIMIT   64         /* bytes */
#define IDENTIFIER_VALUE_LIMIT  128        /* bytes; a longer value is none */
#define IDENTIFIERS_ENVIRONMENT (1u << 20) /* bytes of an environment that are searched */

struct identifiers { /* the list */
	char names[IDENTIFIERS_MAX][IDENTIFIER_NAME_LIMIT + 1];
	size_t count;
};

struct identifier_values { /* "": not set, or no value that may be one */
	char texts[IDENTIFIERS_MAX][IDENTIFIER_VALUE_LIMIT + 1];
};

/* Names with commas or blanks between; "": none. -EINVAL: what is no name of a variable, or too
 * many. */
int identifiers_parse(const char *text, struct identifiers *ret, struct error *err);
/*
 * What a process was given: texts[i] is the value of names[i]. A value with control characters or
 * invalid UTF-8, or beyond the limit, is left out. The environment is that of its last exec, where
 * the process may write over it. start_ns: the process that is meant, so that another with its pid
 * gives nothing; 0: whichever it is. -ESRCH: gone, or another; -EACCES.
 */
int identifiers_read(const struct identifiers *identifiers, uint32_t pid, uint64_t start_ns,
		     struct identifier_values *ret);
/* The value of a name; "" where it is not in the list, or has none. */
const char *identifiers_get(const struct identifiers *identifiers,
			    const struct identifier_values *values, const char *name);
