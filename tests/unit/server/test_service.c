/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "fixture_lake.h"
#include "server/settings.h"

/* Runs it with one option more than its folders; its words must be one line that holds `words`. */
static void expect(const char *option, int status, const char *words)
{
	char data[96], tokens[96];
	const char *arguments[] = { data, tokens, option, NULL };
	struct buffer err;
	struct lake lake;
	int got;

	lake_make(&lake);
	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake.folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake.folder);
	got = lake_try(&lake, arguments, &err);
	if (got != status || !strstr(err.data, words))
		fail_msg("%s: exit %d, not %d: %s", option, got, status, err.data);
	assert_ptr_equal(strchr(err.data, '\n'), err.data + err.len - 1);
	buffer_clear(&err);
	lake_remove(&lake);
}

static void wrong_settings_are_one_line_and_exit_2(void **state)
{
	expect("--lisen=127.0.0.1:0", 2, "listen");
	expect("--listen=127.0.0.1", 2, "ADDRESS:PORT");
	expect("--listen=example.org:80", 2, "ADDRESS:PORT");
	expect("--listen=127.0.0.1:65536", 2, "ADDRESS:PORT");
	expect("--listen=::1:80", 2, "ADDRESS:PORT");
	expect("--listen=0.0.0.0:0", 2, "insecure");
	expect("--listen=[::]:0", 2, "without TLS");
	expect("--tls-key-file=/nowhere", 2, "belong together");
	expect("--tls-client-ca-file=/nowhere", 2, "needs tls-certificate-file");
	expect("--memory-limit=lots", 2, "memory-limit");
	expect("--query-limit=100ms", 2, "query-limit");
	expect("--query-limit=2h", 2, "query-limit");
	expect("--log-level=loud", 2, "log-level");
	expect("--config=/nowhere/lake.yaml", 2, "/nowhere/lake.yaml");
	expect("extra", 2, "extra");
}

static void a_port_in_use_is_one_line_and_exit_1(void **state)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char option[64], words[64];

	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	snprintf(words, sizeof(words), "cannot listen on 127.0.0.1:%d: Address already in use",
		 ntohs(address.sin_port));
	snprintf(option, sizeof(option), "--listen=127.0.0.1:%d", ntohs(address.sin_port));
	expect(option, 1, words);
	expect(option, 1, "--listen 127.0.0.1:PORT");
	close(fd);
}

static void loopback_is_told_from_the_rest(void **state)
{
	static const struct {
		const char *listen;
		bool loopback;
	} CASES[] = {
		{ "127.0.0.1:1", true }, { "127.9.9.9:1", true },  { "localhost:1", true },
		{ "[::1]:1", true },     { "0.0.0.0:1", false },   { "[::]:1", false },
		{ "10.0.0.1:1", false }, { "128.0.0.1:1", false },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct sockaddr_storage address;
		socklen_t len;

		assert_int_equal(settings_address(CASES[i].listen, &address, &len, NULL), 0);
		assert_int_equal(settings_is_loopback(&address), CASES[i].loopback);
	}
}

static void it_stops_cleanly_and_starts_again_on_the_same_store(void **state)
{
	struct answer answer;
	struct stat status;
	struct lake lake;
	char path[128];

	lake_make(&lake);
	for (int i = 0; i < 2; i++) {
		lake_start(&lake, NULL);
		lake_ask(&lake, "GET", "/readyz", NULL, NULL, NULL, 0, &answer);
		assert_int_equal(answer.status, 200);
		answer_clear(&answer);
		assert_int_equal(lake_stop(&lake), 0);
	}
	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake.folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 077, 0);
	lake_remove(&lake);
}

static void a_file_of_settings_is_read(void **state)
{
	static const char YAML[] = "log-level: debug\nmemory-limit: 300M\n";
	char option[128];
	const char *extra[] = { option, NULL };
	struct lake lake;

	lake_make(&lake);
	snprintf(option, sizeof(option), "--config=%s/lake.yaml", lake.folder);
	assert_int_equal(file_write(option + strlen("--config="), YAML, strlen(YAML), 0600, NULL),
			 0);
	lake_start(&lake, extra);
	assert_int_equal(lake_stop(&lake), 0);
	lake_remove(&lake);
}

static void wrong_settings_of_costs_are_one_line_with_their_place(void **state)
{
	static const char YAML[] = "machines:\n  - {hosts: 'node*', usd_yaer: 4200}\n";
	char folder[] = "/tmp/tracer-cost-XXXXXX", option[64];

	assert_non_null(mkdtemp(folder));
	snprintf(option, sizeof(option), "--cost-file=%s/cost.yaml", folder);
	assert_int_equal(file_write(strchr(option, '/'), YAML, strlen(YAML), 0600, NULL), 0);
	expect(option, 1, "cost.yaml:2:22: unknown key 'usd_yaer'; did you mean 'usd_year'?");
	assert_int_equal(file_remove_tree(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_settings_are_one_line_and_exit_2),
		cmocka_unit_test(a_port_in_use_is_one_line_and_exit_1),
		cmocka_unit_test(loopback_is_told_from_the_rest),
		cmocka_unit_test(it_stops_cleanly_and_starts_again_on_the_same_store),
		cmocka_unit_test(a_file_of_settings_is_read),
		cmocka_unit_test(wrong_settings_of_costs_are_one_line_with_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
