/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * A rule's name with placeholders: "{name} {subcommand}". A placeholder without a value is left
 * out, with the blank before it (at the beginning: after it).
 */
enum template_place { PLACE_NAME, PLACE_SUBCOMMAND, PLACE_SCRIPT, PLACES };

struct template_values {
	const char *texts[PLACES]; /* NULL: none */
};

/* The fault of a template, in words that end in ": "; NULL: it has none. */
const char *template_fault(const char *text);
/* Whether it has a placeholder. */
bool template_has(const char *text, enum template_place place);
/* Returns filled, cut at size. */
char *template_fill(const char *text, const struct template_values *values, char *filled,
		    size_t size);
