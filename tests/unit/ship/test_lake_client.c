/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <event2/event.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fixture_spool.h"
#include "ship/lake_client.h"

/* The uploader's client, with files of TLS that change. Nothing is connected. */
struct scene {
	struct folder folder;
	struct event_base *base;
	struct lake_client *lake;
	char token[100], certificate[100], key[100];
};

static void write_pem(const char *path, X509 *certificate, EVP_PKEY *key)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(certificate ? PEM_write_X509(file, certificate)
				     : PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL),
			 1);
	fclose(file);
}

/* A pair in place of the one before. */
static void make_pair(const struct scene *scene)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *made = X509_new();

	X509_gmtime_adj(X509_getm_notBefore(made), 0);
	X509_gmtime_adj(X509_getm_notAfter(made), 86400);
	X509_set_pubkey(made, key);
	assert_true(X509_sign(made, key, EVP_sha256()) > 0);
	unlink(scene->certificate);
	unlink(scene->key);
	write_pem(scene->certificate, made, NULL);
	write_pem(scene->key, NULL, key);
	X509_free(made);
	EVP_PKEY_free(key);
}

static int set_up(void **state)
{
	static struct scene scene;
	struct uploader_options options = { .url = "https://lake.test:1" };

	scene = (struct scene){ .base = event_base_new() };
	folder_make(&scene.folder);
	snprintf(scene.token, sizeof(scene.token), "%s/token", scene.folder.path);
	snprintf(scene.certificate, sizeof(scene.certificate), "%s/agent.pem", scene.folder.path);
	snprintf(scene.key, sizeof(scene.key), "%s/agent.key", scene.folder.path);
	assert_int_equal(file_write(scene.token, "sesame\n", 7, 0600, NULL), 0);
	make_pair(&scene);
	options.token_file = scene.token;
	options.ca_file = options.certificate_file = scene.certificate;
	options.key_file = scene.key;
	assert_int_equal(lake_client_new(&scene.lake, scene.base, &options, NULL), 0);
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	lake_client_free(scene->lake);
	event_base_free(scene->base);
	folder_remove(&scene->folder);
	return 0;
}

static struct http_client *get(const struct scene *scene)
{
	struct http_client *client = NULL;

	assert_int_equal(lake_client_get(scene->lake, &client, NULL), 0);
	assert_non_null(client);
	return client;
}

static void new_files_make_a_new_client_and_broken_ones_leave_the_old(void **state)
{
	struct scene *scene = *state;
	struct http_client *first = get(scene), *second;
	struct error words = { "" };

	assert_ptr_equal(get(scene), first);
	make_pair(scene);
	second = get(scene);
	assert_ptr_not_equal(second, first);
	assert_ptr_equal(get(scene), second);
	assert_int_equal(file_write(scene->key, "no key\n", 7, 0600, NULL), 0);
	assert_ptr_equal(get(scene), second);
	assert_int_equal(unlink(scene->certificate), 0);
	assert_ptr_equal(get(scene), second);
	/* Once it is dropped only what the files are now counts. */
	lake_client_drop(scene->lake);
	assert_int_equal(lake_client_get(scene->lake, &first, &words), -EINVAL);
	assert_non_null(strstr(words.text, "agent.pem"));
	make_pair(scene);
	get(scene);
}

static void a_key_of_another_certificate_is_said(void **state)
{
	struct scene *scene = *state;
	struct http_client *client;
	struct error words = { "" };
	char saved[120];

	snprintf(saved, sizeof(saved), "%s.old", scene->key);
	assert_int_equal(rename(scene->key, saved), 0);
	make_pair(scene);
	assert_int_equal(rename(saved, scene->key), 0);
	assert_int_equal(lake_client_get(scene->lake, &client, &words), -EINVAL);
	assert_non_null(strstr(words.text, "agent.key"));
}

static void a_token_that_cannot_be_read_is_an_error_of_its_own(void **state)
{
	struct scene *scene = *state;
	struct http_client *client;
	struct error words = { "" };

	assert_int_equal(unlink(scene->token), 0);
	assert_int_equal(lake_client_get(scene->lake, &client, &words), -ENOKEY);
	assert_non_null(strstr(words.text, scene->token));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			new_files_make_a_new_client_and_broken_ones_leave_the_old, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_key_of_another_certificate_is_said, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_token_that_cannot_be_read_is_an_error_of_its_own,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
