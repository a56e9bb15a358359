/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/secret.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct secret_digest secret_digest(const char *secret)
{
	struct secret_digest digest;

	SHA256((const unsigned char *)secret, strlen(secret), digest.bytes);
	return digest;
}

bool secret_equal(const struct secret_digest *a, const struct secret_digest *b)
{
	return CRYPTO_memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

void secret_to_hex(const struct secret_digest *digest, char text[SECRET_HEX_SIZE])
{
	for (size_t i = 0; i < sizeof(digest->bytes); i++)
		snprintf(text + 2 * i, 3, "%02x", digest->bytes[i]);
}

static int digit(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

bool secret_from_hex(const char *text, struct secret_digest *ret)
{
	if (strlen(text) != SECRET_HEX_SIZE - 1)
		return false;
	for (size_t i = 0; i < sizeof(ret->bytes); i++) {
		int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		ret->bytes[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}
