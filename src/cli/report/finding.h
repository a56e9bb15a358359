/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The findings of an API answer for people: severity, sentence, advice, what it saves. Says so
 * where there are none; asked: whether something was known to compare use with. */
void finding_print(FILE *out, const json_t *findings, bool asked);
/* Whether one of these tasks says what it asked for. */
bool finding_asked(const json_t *tasks);
