/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/gcp/gcp_jwt.h"

#include <errno.h>
#include <jansson.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "inventory/listing.h"

#define SCOPE       "https://www.googleapis.com/auth/compute.readonly"
#define VALID_S     3600
#define PART_BYTES  4096
#define DEFAULT_URL "https://oauth2.googleapis.com/token"

DEFINE_CLEANUP(BIO *, BIO_free_all)
DEFINE_CLEANUP(EVP_PKEY *, EVP_PKEY_free)
DEFINE_CLEANUP(EVP_MD_CTX *, EVP_MD_CTX_free)

void gcp_key_clear(struct gcp_key *key)
{
	if (key->pem)
		OPENSSL_cleanse(key->pem, strlen(key->pem));
	free(key->email);
	free(key->id);
	free(key->pem);
	free(key->token_url);
	free(key->project);
	*key = (struct gcp_key){ 0 };
}

static int copy_fields(const json_t *read, struct gcp_key *ret)
{
	const char *url = listing_text(read, "token_uri");

	ret->email = strdup(listing_text(read, "client_email"));
	ret->id = strdup(listing_text(read, "private_key_id"));
	ret->pem = strdup(listing_text(read, "private_key"));
	ret->token_url = strdup(*url ? url : DEFAULT_URL);
	ret->project = strdup(listing_text(read, "project_id"));
	return ret->email && ret->id && ret->pem && ret->token_url && ret->project ? 0 : -ENOMEM;
}

int gcp_key_parse(const char *text, const char *origin, struct gcp_key *ret, struct error *err)
{
	CLEANUP(gcp_key_clear) struct gcp_key key = { 0 };
	CLEANUP(json_decrefp) json_t *read = json_loads(text, 0, NULL);

	if (!read || strcmp(listing_text(read, "type"), "service_account") != 0)
		return error_set(err, -EINVAL,
				 "%s: this is no key of a service account (JSON, \"type\": "
				 "\"service_account\")",
				 origin);
	if (copy_fields(read, &key))
		return error_set(err, -ENOMEM, "out of memory");
	if (!*key.email || !*key.pem)
		return error_set(err, -EINVAL, "%s: client_email or private_key is missing",
				 origin);
	*ret = key;
	key = (struct gcp_key){ 0 };
	return 0;
}

/* Base64 as of URLs, without padding (RFC 7515, 2). */
static int append_base64(struct buffer *out, const void *bytes, size_t len)
{
	unsigned char text[PART_BYTES * 4 / 3 + 8];
	int written;

	if (len > PART_BYTES)
		return -EINVAL;
	written = EVP_EncodeBlock(text, bytes, (int)len);
	for (int i = 0; i < written && text[i] != '='; i++)
		buffer_append_char(out, text[i] == '+'   ? '-'
					: text[i] == '/' ? '_'
							 : (char)text[i]);
	return out->failed ? -ENOMEM : 0;
}

static void put(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void write_head(const struct gcp_key *key, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	put(&json, "alg", "RS256");
	put(&json, "typ", "JWT");
	put(&json, "kid", key->id);
	json_object_end(&json);
}

static void write_claims(const struct gcp_key *key, int64_t now_s, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	put(&json, "iss", key->email);
	put(&json, "scope", SCOPE);
	put(&json, "aud", key->token_url);
	json_key(&json, "iat");
	json_i64(&json, now_s);
	json_key(&json, "exp");
	json_i64(&json, now_s + VALID_S);
	json_object_end(&json);
}

/* No passphrase is asked for on a terminal. */
static int no_passphrase(char *text, int size, int writes, void *context)
{
	return -1;
}

static int append_signature(const struct gcp_key *key, struct buffer *out, struct error *err)
{
	CLEANUP(BIO_free_allp) BIO *pem = BIO_new_mem_buf(key->pem, -1);
	CLEANUP(EVP_PKEY_freep)
	EVP_PKEY *private = PEM_read_bio_PrivateKey(pem, NULL, no_passphrase, NULL);
	CLEANUP(EVP_MD_CTX_freep) EVP_MD_CTX *context = EVP_MD_CTX_new();
	unsigned char signature[PART_BYTES];
	size_t len = sizeof(signature);

	if (!private || EVP_PKEY_get_base_id(private) != EVP_PKEY_RSA)
		return error_set(err, -EINVAL, "private_key of %s is no RSA key", key->email);
	if (!context || EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, private) != 1 ||
	    EVP_DigestSign(context, signature, &len, (const unsigned char *)out->data, out->len) !=
		    1)
		return error_set(err, -EINVAL, "private_key of %s cannot sign", key->email);
	buffer_append_char(out, '.');
	return append_base64(out, signature, len);
}

int gcp_jwt_sign(const struct gcp_key *key, int64_t now_s, char **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 }, head = { 0 }, claims = { 0 };
	int rc;

	buffer_init(&out, 16384);
	buffer_init(&head, PART_BYTES);
	buffer_init(&claims, PART_BYTES);
	write_head(key, &head);
	write_claims(key, now_s, &claims);
	if (head.failed || claims.failed)
		return error_set(err, -EINVAL, "the key of %.64s has texts that are too long",
				 key->email);
	rc = append_base64(&out, head.data, head.len);
	buffer_append_char(&out, '.');
	if (rc == 0)
		rc = append_base64(&out, claims.data, claims.len);
	if (rc == 0)
		rc = append_signature(key, &out, err);
	if (rc)
		return rc;
	*ret = buffer_take(&out);
	return *ret ? 0 : error_set(err, -ENOMEM, "out of memory");
}
