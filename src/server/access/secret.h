/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* A digest (SHA-256) to keep instead of a random secret, and its comparison in constant time. */
struct secret_digest {
	unsigned char bytes[32];
};

#define SECRET_HEX_SIZE 65 /* a digest as lower-case hex, and NUL */

struct secret_digest secret_digest(const char *secret);
bool secret_equal(const struct secret_digest *a, const struct secret_digest *b);
void secret_to_hex(const struct secret_digest *digest, char text[SECRET_HEX_SIZE]);
/* false: it is none. */
bool secret_from_hex(const char *text, struct secret_digest *ret);
