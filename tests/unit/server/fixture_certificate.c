/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_certificate.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static FILE *open_file(const char *path, const char *ending, const char *mode)
{
	char name[256];
	FILE *file;

	snprintf(name, sizeof(name), "%s%s", path, ending);
	file = fopen(name, mode);
	assert_non_null(file);
	return file;
}

static void put_in_place(const char *path, const char *ending)
{
	char from[256], to[256];

	snprintf(from, sizeof(from), "%s%s.new", path, ending);
	snprintf(to, sizeof(to), "%s%s", path, ending);
	assert_int_equal(rename(from, to), 0);
}

static void add(X509 *certificate, X509V3_CTX *context, int kind, const char *text)
{
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, context, kind, text);

	assert_non_null(extension);
	X509_add_ext(certificate, extension, -1);
	X509_EXTENSION_free(extension);
}

static X509 *issuer_of(const struct certificate *wanted, EVP_PKEY **ret_key)
{
	FILE *file = open_file(wanted->issuer, ".pem", "r");
	X509 *issuer = PEM_read_X509(file, NULL, NULL, NULL);

	fclose(file);
	file = open_file(wanted->issuer, ".key", "r");
	*ret_key = PEM_read_PrivateKey(file, NULL, NULL, NULL);
	fclose(file);
	assert_non_null(issuer);
	assert_non_null(*ret_key);
	return issuer;
}

static void write_files(const char *path, X509 *made, X509 *issuer, EVP_PKEY *key)
{
	FILE *file = open_file(path, ".pem.new", "w");

	assert_int_equal(PEM_write_X509(file, made), 1);
	if (issuer)
		assert_int_equal(PEM_write_X509(file, issuer), 1);
	fclose(file);
	file = open_file(path, ".key.new", "w");
	assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	fclose(file);
	put_in_place(path, ".pem");
	put_in_place(path, ".key");
}

void certificate_make(const char *path, const struct certificate *wanted)
{
	EVP_PKEY *key = EVP_EC_gen("P-256"), *issuer_key = NULL;
	X509 *made = X509_new(), *issuer = NULL;
	static long serial = 1;
	X509V3_CTX context;

	if (wanted->issuer)
		issuer = issuer_of(wanted, &issuer_key);
	X509_set_version(made, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(made), serial++);
	X509_gmtime_adj(X509_getm_notBefore(made), wanted->from_s);
	X509_gmtime_adj(X509_getm_notAfter(made), wanted->until_s);
	X509_set_pubkey(made, key);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC,
				   (const unsigned char *)wanted->name, -1, -1, 0);
	X509_set_issuer_name(made, X509_get_subject_name(issuer ? issuer : made));
	X509V3_set_ctx(&context, issuer ? issuer : made, made, NULL, NULL, 0);
	if (wanted->alternatives)
		add(made, &context, NID_subject_alt_name, wanted->alternatives);
	else
		add(made, &context, NID_basic_constraints, "critical,CA:TRUE");
	assert_true(X509_sign(made, issuer ? issuer_key : key, EVP_sha256()) > 0);
	write_files(path, made, issuer, key);
	X509_free(made);
	X509_free(issuer);
	EVP_PKEY_free(key);
	EVP_PKEY_free(issuer_key);
}
