/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/tls_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/x509.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

#define KEY_ID_SIZE 64

DEFINE_CLEANUP(struct tls_pair *, tls_pair_free)

static int read_pem(const char *path, char **ret, gnutls_datum_t *ret_pem, struct error *err)
{
	size_t len;
	int rc = file_read(AT_FDCWD, path, TLS_PEM_SIZE, ret, &len);

	if (rc)
		return error_set(err, rc, "cannot read %s: %s%s", path, strerror(-rc),
				 rc == -EACCES ? "; let the user as which the lake runs read it, "
						 "and no other"
					       : "");
	*ret_pem = (gnutls_datum_t){ .data = (unsigned char *)*ret, .size = (unsigned)len };
	return 0;
}

static int read_chain(struct tls_pair *pair, const char *path, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	gnutls_datum_t pem = { 0 };
	unsigned count = TLS_CHAIN_MAX;
	int rc = read_pem(path, &text, &pem, err), code;

	if (rc)
		return rc;
	code = gnutls_pcert_list_import_x509_raw(pair->chain, &count, &pem, GNUTLS_X509_FMT_PEM,
						 GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);
	if (code == GNUTLS_E_CERTIFICATE_LIST_UNSORTED)
		return error_set(err, -EINVAL,
				 "%s: the certificates are not in the order of a chain, the lake's "
				 "own first",
				 path);
	if (code < 0)
		return error_set(err, -EINVAL, "%s holds no PEM certificates that can be used: %s",
				 path, gnutls_strerror(code));
	pair->count = count;
	return 0;
}

static int read_key(struct tls_pair *pair, const char *path, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	gnutls_datum_t pem = { 0 };
	int rc = read_pem(path, &text, &pem, err), code;

	if (rc)
		return rc;
	code = gnutls_privkey_init(&pair->key);
	if (code >= 0)
		code = gnutls_privkey_import_x509_raw(pair->key, &pem, GNUTLS_X509_FMT_PEM, NULL,
						      0);
	if (pem.data)
		explicit_bzero(pem.data, pem.size);
	return code < 0 ? error_set(err, -EINVAL, "%s holds no PEM key without a password: %s",
				    path, gnutls_strerror(code))
			: 0;
}

/* Whether the key is that of the certificate: both give the same public key. */
static bool belong_together(struct tls_pair *pair)
{
	unsigned char of_key[KEY_ID_SIZE], of_chain[KEY_ID_SIZE];
	size_t key_len = sizeof(of_key), chain_len = sizeof(of_chain);
	gnutls_pubkey_t public_key;
	bool equal = false;

	if (gnutls_pubkey_init(&public_key) < 0)
		return false;
	if (gnutls_pubkey_import_privkey(public_key, pair->key, 0, 0) >= 0 &&
	    gnutls_pubkey_get_key_id(public_key, 0, of_key, &key_len) >= 0 &&
	    gnutls_pubkey_get_key_id(pair->chain[0].pubkey, 0, of_chain, &chain_len) >= 0)
		equal = key_len == chain_len && memcmp(of_key, of_chain, key_len) == 0;
	gnutls_pubkey_deinit(public_key);
	return equal;
}

static int read_times(struct tls_pair *pair, const char *path, struct error *err)
{
	gnutls_x509_crt_t certificate;
	time_t begins = -1, expires = -1;

	if (gnutls_x509_crt_init(&certificate) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	if (gnutls_x509_crt_import(certificate, &pair->chain[0].cert, GNUTLS_X509_FMT_DER) >= 0) {
		begins = gnutls_x509_crt_get_activation_time(certificate);
		expires = gnutls_x509_crt_get_expiration_time(certificate);
	}
	gnutls_x509_crt_deinit(certificate);
	if (begins == -1 || expires == -1)
		return error_set(err, -EINVAL, "%s: the certificate does not say when it is valid",
				 path);
	pair->begins_at = (int64_t)begins * NS_PER_S;
	/* A certificate without an end has the year 9999, which is beyond 64 bits of ns. */
	pair->expires_at = expires > INT64_MAX / NS_PER_S ? INT64_MAX : (int64_t)expires * NS_PER_S;
	return 0;
}

int tls_pair_read(struct tls_pair **ret, const char *certificate, const char *key,
		  struct error *err)
{
	CLEANUP(tls_pair_freep) struct tls_pair *pair = calloc(1, sizeof(*pair));
	int rc;

	if (!pair)
		return error_set(err, -ENOMEM, "out of memory");
	rc = read_chain(pair, certificate, err);
	if (rc == 0)
		rc = read_key(pair, key, err);
	if (rc == 0 && !belong_together(pair))
		rc = error_set(err, -EINVAL,
			       "the certificate in %s and the key in %s are not a pair: put the "
			       "key that the certificate was made for beside it",
			       certificate, key);
	if (rc == 0)
		rc = read_times(pair, certificate, err);
	if (rc == 0)
		*ret = TAKE_PTR(pair);
	return rc;
}

void tls_pair_free(struct tls_pair *pair)
{
	if (!pair)
		return;
	for (unsigned i = 0; i < pair->count; i++)
		gnutls_pcert_deinit(&pair->chain[i]);
	gnutls_privkey_deinit(pair->key);
	free(pair);
}
