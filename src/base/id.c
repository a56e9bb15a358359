/* SPDX-License-Identifier: Apache-2.0 */
#include "base/id.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define ID_BYTES 16

static EVP_MD *sha256;
static pthread_once_t sha256_fetched = PTHREAD_ONCE_INIT;

/* Fetched once: fetching takes longer than the hash of an id. */
static void fetch_sha256(void)
{
	sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

static void to_hex(const unsigned char *bytes, size_t len, char *text)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

/* A token that is not random would be unsafe: without random bytes the process ends. */
static void draw(unsigned char *bytes, size_t len)
{
	while (len) {
		ssize_t got = getrandom(bytes, len, 0);

		if (got < 0)
			continue;
		bytes += got;
		len -= (size_t)got;
	}
}

/* RFC 9562: version in byte 6, variant in byte 8. */
static struct id from_bytes(unsigned char bytes[ID_BYTES], unsigned version)
{
	static const unsigned char group_bytes[] = { 4, 2, 2, 2, 6 };
	struct id id;
	char *at = id.text;

	bytes[6] = (unsigned char)((bytes[6] & 0x0f) | version << 4);
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	for (size_t group = 0; group < sizeof(group_bytes); group++) {
		if (group)
			*at++ = '-';
		to_hex(bytes, group_bytes[group], at);
		bytes += group_bytes[group];
		at += 2 * group_bytes[group];
	}
	return id;
}

struct id id_random(void)
{
	unsigned char bytes[ID_BYTES];

	draw(bytes, sizeof(bytes));
	return from_bytes(bytes, 4);
}

struct id id_of(const void *bytes, size_t len)
{
	unsigned char digest[EVP_MAX_MD_SIZE] = { 0 };

	pthread_once(&sha256_fetched, fetch_sha256);
	if (EVP_Digest(bytes, len, digest, NULL, sha256, NULL) != 1)
		abort(); /* SHA-256 does not fail in practice; a wrong id would be worse than an end
			  */
	return from_bytes(digest, 8);
}

void id_secret(char *text, size_t len)
{
	unsigned char bytes[64];

	text[0] = '\0';
	while (len) {
		size_t part = len < sizeof(bytes) ? len : sizeof(bytes);

		draw(bytes, part);
		to_hex(bytes, part, text);
		text += 2 * part;
		len -= part;
	}
}
