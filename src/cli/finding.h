#pragma once
#include <jansson.h>
#include <stdio.h>

/* The findings of an API answer for people: severity, sentence, advice, what it saves. Says so
 * where there are none. */
void finding_print(FILE *out, const json_t *findings);
