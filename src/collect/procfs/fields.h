/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Words and numbers of a line, one after the other: how files of /proc are read. Each takes what it
 * read off *text, and stops at the end of the line; blanks before it are skipped. Pure.
 */

/* An unsigned number in decimal digits; false, and nothing is taken: there is none, or it does not
 * fit into 64 bits. */
bool fields_u64(const char **text, uint64_t *ret);
/* count numbers in a row. */
bool fields_u64s(const char **text, uint64_t *ret, size_t count);
/* Anything up to a blank; false: the line ends here, or it is longer than size - 1. */
bool fields_word(const char **text, char *ret, size_t size);
/* Leaves out count words; false: there are fewer. */
bool fields_skip(const char **text, size_t count);
