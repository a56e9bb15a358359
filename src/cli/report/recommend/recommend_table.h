/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The front of an answer of GET /api/v1/recommend, what was measured first. 0, or -ENOMEM. */
int recommend_table_print(FILE *out, const json_t *document);
/* What is to be known of the candidates that are chosen. */
void recommend_notes_print(FILE *out, const json_t *document);
/* How the number-th candidate is marked: a letter on the front, else a point. */
char recommend_sign(const json_t *candidate, size_t number);
