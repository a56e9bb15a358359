#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Names that say that their value is a secret: of an option, a variable, a header, a field
 * ("--db-password", "AWS_SECRET_ACCESS_KEY", "authToken").
 */

/* What a name says; 0: nothing about secrets. */
unsigned redact_name_kind(const char *name, size_t len);
/* Is this value (NUL somewhere behind len) of a name of that kind a secret? Empty values,
 * references to a variable ("$TOKEN"), and what such names ordinarily count or point at ("--token
 * 3", "--private-key /etc/key.pem") are none. */
bool redact_name_hides(unsigned kind, const char *value, size_t len);
