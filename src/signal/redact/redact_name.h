/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Names that say that their value is a secret: of an option, a variable, a header, a field
 * ("--db-password", "AWS_SECRET_ACCESS_KEY", "authToken").
 */

/* What it says of its value: kinds of redact_value.h; 0: nothing about secrets. */
unsigned redact_name_kind(const char *name, size_t len);
