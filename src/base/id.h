/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Identifiers: 128 bits in the form of a UUID, lower case. */
#define ID_SIZE 37
struct id {
	char text[ID_SIZE];
};

/* A random one (version 4), from getrandom(). */
struct id id_random(void);
/* The one (version 8) that stands for these bytes: SHA-256, cut. The same bytes give the same id
 * for ever. */
struct id id_of(const void *bytes, size_t len);
/* len random bytes as lower-case hex in text (2 * len + 1 bytes): tokens. */
void id_secret(char *text, size_t len);
