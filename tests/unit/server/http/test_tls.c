/* SPDX-License-Identifier: Apache-2.0 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "fixture_lake.h"

/* A certificate for 127.0.0.1 that vouches for itself, and its key, as PEM files. */
static void make_certificate(const char *certificate_path, const char *key_path)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *made = X509_new();
	X509_EXTENSION *extension =
		X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "IP:127.0.0.1");
	FILE *file = fopen(certificate_path, "w");

	X509_set_version(made, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
	X509_gmtime_adj(X509_getm_notBefore(made), -3600);
	X509_gmtime_adj(X509_getm_notAfter(made), 86400);
	X509_set_pubkey(made, key);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC,
				   (const unsigned char *)"lake", -1, -1, 0);
	X509_set_issuer_name(made, X509_get_subject_name(made));
	X509_add_ext(made, extension, -1);
	X509_EXTENSION_free(extension);
	assert_true(X509_sign(made, key, EVP_sha256()) > 0);
	assert_int_equal(PEM_write_X509(file, made), 1);
	fclose(file);
	file = fopen(key_path, "w");
	assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	fclose(file);
	X509_free(made);
	EVP_PKEY_free(key);
}

static void with_a_certificate_it_serves_https_and_its_url_says_so(void **state)
{
	char certificate[128], key[128];
	const char *extra[] = { certificate, key, NULL };
	struct http_options options = { .timeout_ns = 10 * NS_PER_S, .response_limit = 1 << 20 };
	struct error err = { "" };
	struct lake lake;
	char *body = NULL;
	size_t len;
	int status = 0;

	lake_make(&lake);
	snprintf(certificate, sizeof(certificate), "--tls-certificate-file=%s/c.pem", lake.folder);
	snprintf(key, sizeof(key), "--tls-key-file=%s/k.pem", lake.folder);
	make_certificate(strchr(certificate, '=') + 1, strchr(key, '=') + 1);
	lake_start(&lake, extra);
	assert_memory_equal(lake.url, "https://", 8);
	options.url = lake.url;
	options.token = lake.read;
	assert_true(http_fetch(&options, "GET", "/api/v1/runs", NULL, NULL, 0, &status, &body, &len,
			       &err) < 0); /* no authority signed it */
	options.ca_file = strchr(certificate, '=') + 1;
	if (http_fetch(&options, "GET", "/api/v1/runs", NULL, NULL, 0, &status, &body, &len, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, 200);
	assert_string_equal(body, "{\"runs\":[],\"next\":null}");
	free(body);
	assert_int_equal(lake_stop(&lake), 0);
	lake_remove(&lake);
}

static void a_certificate_that_is_none_is_one_line_and_exit_1(void **state)
{
	char data[96], tokens[96], certificate[96], key[96];
	const char *arguments[] = { data, tokens, certificate, key, "--listen=127.0.0.1:0", NULL };
	struct buffer words;
	struct lake lake;

	lake_make(&lake);
	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake.folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake.folder);
	snprintf(certificate, sizeof(certificate), "--tls-certificate-file=%s/c.pem", lake.folder);
	snprintf(key, sizeof(key), "--tls-key-file=%s/k.pem", lake.folder);
	assert_int_equal(lake_try(&lake, arguments, &words), 1);
	assert_non_null(strstr(words.data, "c.pem: No such file"));
	buffer_clear(&words);
	assert_int_equal(file_write(strchr(certificate, '=') + 1, "x\n", 2, 0600, NULL), 0);
	assert_int_equal(file_write(strchr(key, '=') + 1, "x\n", 2, 0600, NULL), 0);
	assert_int_equal(lake_try(&lake, arguments, &words), 1);
	assert_non_null(strstr(words.data, "TLS certificate and key"));
	buffer_clear(&words);
	lake_remove(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_a_certificate_it_serves_https_and_its_url_says_so),
		cmocka_unit_test(a_certificate_that_is_none_is_one_line_and_exit_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
