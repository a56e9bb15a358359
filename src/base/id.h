/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Identifiers: 128 bits in the form of a UUID, lower case. */
#define ID_SIZE 37
struct id {
	char text[ID_SIZE];
};

/* A random identifier (UUID version 4), from getrandom(). */
struct id id_random(void);
/* The identifier of these bytes (UUID version 8): their SHA-256, cut. The same bytes give the same
 * identifier, in every version of the program. */
struct id id_of(const void *bytes, size_t len);
/* Writes len random bytes as lower-case hex to text (2 * len + 1 bytes): a token. */
void id_secret(char *text, size_t len);
