/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <openssl/ssl.h>
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
#include "fixture_certificate.h"
#include "fixture_lake.h"
#include "wait.h"

#define DAY 86400L

/* A lake with TLS: its authority is ca, its certificate lake, its agents' authority agents. */
static struct lake lake;
static char ca_pem[128], certificate[160], key[160], agents_ca[160];

static void path_of(const char *name, const char *ending, char path[128])
{
	snprintf(path, 128, "%s/%s%s", lake.folder, name, ending);
}

static void make(const char *name, const char *alternatives, const char *issuer, long from_s,
		 long until_s)
{
	char path[128], issuer_path[128];

	path_of(name, "", path);
	if (issuer)
		path_of(issuer, "", issuer_path);
	certificate_make(path, &(struct certificate){ .name = name,
						      .alternatives = alternatives,
						      .issuer = issuer ? issuer_path : NULL,
						      .from_s = from_s,
						      .until_s = until_s });
}

static void make_lake(long until_s)
{
	make("lake", "IP:127.0.0.1", "ca", -DAY, until_s);
}

static int set_up(void **state)
{
	lake_make(&lake);
	path_of("ca", ".pem", ca_pem);
	snprintf(certificate, sizeof(certificate), "--tls-certificate-file=%s/lake.pem",
		 lake.folder);
	snprintf(key, sizeof(key), "--tls-key-file=%s/lake.key", lake.folder);
	snprintf(agents_ca, sizeof(agents_ca), "--tls-client-ca-file=%s/agents.pem", lake.folder);
	make("ca", NULL, NULL, -DAY, 365 * DAY);
	make("agents", NULL, NULL, -DAY, 365 * DAY);
	make_lake(90 * DAY);
	return 0;
}

static int tear_down(void **state)
{
	lake_remove(&lake);
	return 0;
}

static void start(const char *client_ca)
{
	const char *extra[] = { certificate, key, client_ca, NULL };

	lake_start(&lake, extra);
}

/* The status of a request with the files of `who` as the client's certificate (NULL: none); or
 * -errno, with words. */
static int ask(const char *method, const char *path, const char *token, const char *who,
	       struct error *words)
{
	char who_pem[128] = "", who_key[128] = "", *body = NULL;
	const struct http_options options = { .url = lake.url,
					      .token = token,
					      .ca_file = ca_pem,
					      .certificate_file = who_pem,
					      .key_file = who_key,
					      .timeout_ns = 10 * NS_PER_S,
					      .response_limit = 1 << 20 };
	int status = 0, rc;
	size_t len;

	if (who) {
		path_of(who, ".pem", who_pem);
		path_of(who, ".key", who_key);
	}
	*words = (struct error){ "" };
	rc = http_fetch(&options, method, path, *method == 'P' ? "application/x-protobuf" : NULL,
			"", 0, &status, &body, &len, words);
	if (rc == 0 && status > 299)
		error_set(words, 0, "%s", body);
	free(body);
	return rc ? rc : status;
}

/* What /api/v1/lake says of the certificate. */
static json_t *state_of_tls(void)
{
	struct http_options options = { .url = lake.url,
					.token = lake.read,
					.ca_file = ca_pem,
					.timeout_ns = 10 * NS_PER_S,
					.response_limit = 1 << 20 };
	json_t *document, *tls;
	char *body = NULL;
	int status = 0;
	size_t len;

	assert_int_equal(http_fetch(&options, "GET", "/api/v1/lake", NULL, NULL, 0, &status, &body,
				    &len, NULL),
			 0);
	assert_int_equal(status, 200);
	document = json_loads(body, 0, NULL);
	tls = json_incref(json_object_get(document, "tls"));
	json_decref(document);
	free(body);
	return tls;
}

static int days_left(void)
{
	json_t *tls = state_of_tls();
	int days = (int)json_integer_value(json_object_get(tls, "expires_days"));

	json_decref(tls);
	return days;
}

static bool waits(const char *part)
{
	json_t *tls = state_of_tls();
	const char *words = json_string_value(json_object_get(tls, "not_reloaded"));
	bool found = part ? words && strstr(words, part) : !words;

	json_decref(tls);
	return found;
}

static bool log_has(const char *part)
{
	char path[128], *text;
	bool found;
	size_t len;

	path_of("err", "", path);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	found = strstr(text, part) != NULL;
	free(text);
	return found;
}

/* A connection over TLS that stays. */
static SSL *connect_tls(SSL_CTX *context)
{
	SSL *session = SSL_new(context);

	SSL_set_fd(session, lake_connect(&lake));
	assert_int_equal(SSL_connect(session), 1);
	return session;
}

static void ask_health(SSL *session)
{
	static const char REQUEST[] = "GET /healthz HTTP/1.1\r\nHost: lake\r\n\r\n";
	char answer[4096] = "";
	int len = 0;

	assert_int_equal(SSL_write(session, REQUEST, sizeof(REQUEST) - 1), sizeof(REQUEST) - 1);
	while (!strstr(answer, "\"version\"")) {
		int got = SSL_read(session, answer + len, (int)sizeof(answer) - 1 - len);

		assert_true(got > 0);
		len += got;
		answer[len] = '\0';
	}
	assert_memory_equal(answer, "HTTP/1.1 200", 12);
}

static void it_serves_https_and_takes_a_new_certificate_while_connections_go_on(void **state)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	struct error words;
	SSL *session;

	make_lake(10 * DAY + 600);
	start(NULL);
	assert_memory_equal(lake.url, "https://", 8);
	assert_true(log_has("expires in 10 days"));
	assert_int_equal(ask("GET", "/api/v1/runs", lake.read, NULL, &words), 200);
	path_of("agents", ".pem", ca_pem);
	assert_int_equal(ask("GET", "/api/v1/runs", lake.read, NULL, &words), -EPROTO);
	path_of("ca", ".pem", ca_pem);
	session = connect_tls(context);
	ask_health(session);
	assert_int_equal(days_left(), 10);
	make_lake(200 * DAY);
	WAIT_FOR(days_left() == 199, "the new certificate");
	assert_true(waits(NULL));
	assert_int_equal(ask("GET", "/metrics", lake.read, NULL, &words), 200);
	ask_health(session);
	SSL_free(session);
	SSL_CTX_free(context);
	assert_int_equal(lake_stop(&lake), 0);
}

static void what_cannot_be_used_leaves_the_old_certificate_and_is_said(void **state)
{
	char path[128], other[128];
	struct error words;

	start(NULL);
	assert_false(log_has("expires in")); /* which is in 90 days */
	path_of("lake", ".pem", path);
	make("other", "IP:127.0.0.1", "ca", -DAY, 90 * DAY);
	path_of("other", ".pem", other);
	assert_int_equal(rename(other, path), 0);
	WAIT_FOR(waits("are not a pair"), "words about the key");
	make_lake(-60);
	WAIT_FOR(waits("has expired"), "words about the end");
	assert_int_equal(unlink(path), 0);
	WAIT_FOR(waits("No such file"), "words about the missing file");
	assert_int_equal(ask("GET", "/healthz", NULL, NULL, &words), 200);
	assert_int_equal(days_left(), 89);
	assert_true(log_has("the certificate that was read before stays in use"));
	make_lake(30 * DAY);
	WAIT_FOR(waits(NULL), "the pair that is one");
	assert_int_equal(days_left(), 29);
	assert_int_equal(lake_stop(&lake), 0);
}

static void agents_need_a_certificate_where_their_authority_is_set(void **state)
{
	struct error words;

	make("node", "DNS:node-1", "agents", -DAY, 30 * DAY);
	make("foreign", "DNS:node-2", "ca", -DAY, 30 * DAY);
	make("late", "DNS:node-3", "agents", -2 * DAY, -DAY);
	start(agents_ca);
	/* An empty body is no batch: 400 means that it was let in. */
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.ingest, "node", &words), 400);
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.ingest, NULL, &words), 403);
	assert_non_null(strstr(words.text, "--tls-certificate-file"));
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.ingest, "foreign", &words), 403);
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.ingest, "late", &words), 403);
	assert_non_null(strstr(words.text, "expired"));
	assert_int_equal(ask("POST", "/api/v1/ingest", NULL, "node", &words), 401);
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.read, "node", &words), 403);
	assert_int_equal(ask("GET", "/api/v1/runs", lake.read, NULL, &words), 200);
	/* Another authority is read, too. */
	make("agents", NULL, NULL, -DAY, 365 * DAY);
	WAIT_FOR(ask("POST", "/api/v1/ingest", lake.ingest, "node", &words) == 403,
		 "the new authority");
	make("node", "DNS:node-1", "agents", -DAY, 30 * DAY);
	assert_int_equal(ask("POST", "/api/v1/ingest", lake.ingest, "node", &words), 400);
	assert_int_equal(lake_stop(&lake), 0);
}

static void a_certificate_that_is_none_is_one_line_and_exit_1(void **state)
{
	char data[96], tokens[96], path[128];
	const char *arguments[] = { data, tokens, certificate, key, "--listen=127.0.0.1:0", NULL };
	struct buffer words;

	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake.folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake.folder);
	path_of("lake", ".pem", path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(lake_try(&lake, arguments, &words), 1);
	assert_non_null(strstr(words.data, "lake.pem: No such file"));
	buffer_clear(&words);
	assert_int_equal(file_write(path, "x\n", 2, 0600, NULL), 0);
	assert_int_equal(lake_try(&lake, arguments, &words), 1);
	assert_non_null(strstr(words.data, "lake.pem holds no PEM certificates"));
	buffer_clear(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			it_serves_https_and_takes_a_new_certificate_while_connections_go_on, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			what_cannot_be_used_leaves_the_old_certificate_and_is_said, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			agents_need_a_certificate_where_their_authority_is_set, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_certificate_that_is_none_is_one_line_and_exit_1,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
