/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/diff_factor.h"

static const struct {
	const char *key, *words;
} FACTORS[] = {
#define DIFF_FACTOR(constant, name, explained) [constant] = { name, explained },
	DIFF_FACTORS_OF_STEPS(DIFF_FACTOR) DIFF_CLASSES(DIFF_FACTOR)
#undef DIFF_FACTOR
};

const char *diff_factor_key(enum diff_factor factor)
{
	return FACTORS[factor].key;
}

const char *diff_factor_words(enum diff_factor factor)
{
	return FACTORS[factor].words;
}
