/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "cli/lake/lake_access.h"
#include "cli/local/joined.h"

#define OTHER 65534 /* another user than the one of the folder */

/* A data folder that others may pass, as root's is, with what only its owner may read. */
static char data[64];
static int listener = -1;

static void write_text(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", data, name);
	assert_int_equal(file_write(path, text, strlen(text), 0600, NULL), 0);
}

static int set_up(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char path[128];

	strcpy(data, "/tmp/tracer-access-XXXXXX");
	assert_non_null(mkdtemp(data));
	assert_int_equal(chmod(data, 0711), 0);
	snprintf(path, sizeof(path), "%s/tokens", data);
	assert_int_equal(mkdir(path, 0700), 0);
	write_text("lake.url", "http://127.0.0.1:1\n");
	write_text("tokens/read", "sesame-open\n");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" LAKE_SOCKET, data);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(chmod(address.sun_path, 0666), 0);
	assert_int_equal(listen(listener, 64), 0);
	return 0;
}

static int tear_down(void **state)
{
	close(listener);
	return file_remove_tree(data);
}

/* "CODE URL TOKEN", or "CODE WORDS". */
static void find(const struct common *wanted, const char *scope, char *text, size_t size)
{
	struct common common = *wanted;
	struct lake_access access = { 0 };
	struct error err = { "" };
	int code;

	common.data = data;
	common.lake = common.lake ? common.lake : "";
	common.token_file = common.token_file ? common.token_file : "";
	code = lake_access_find(&access, &common, scope, &err);
	if (code)
		snprintf(text, size, "%d %s", code, error_text(&err));
	else
		snprintf(text, size, "0 %s [%s]", access.url, access.token);
	lake_access_clear(&access);
}

/* The same as another user. */
static void find_as_other(const struct common *common, const char *scope, char *text, size_t size)
{
	int ends[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (setresgid(OTHER, OTHER, OTHER) || setresuid(OTHER, OTHER, OTHER))
			_exit(2);
		find(common, scope, text, size);
		_exit(write(ends[1], text, strlen(text)) < 0);
	}
	close(ends[1]);
	got = read(ends[0], text, size - 1);
	text[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void who_may_read_the_token_uses_it_and_others_the_socket(void **state)
{
	const struct common none = { 0 };
	char text[600], expected[128];

	find(&none, "read", text, sizeof(text));
	assert_string_equal(text, "0 http://127.0.0.1:1 [sesame-open]");
	find_as_other(&none, "read", text, sizeof(text));
	snprintf(expected, sizeof(expected), "0 http+unix://%s/lake.sock []", data);
	assert_string_equal(text, expected);
}

static void the_socket_is_for_reading_and_only_where_a_lake_listens(void **state)
{
	const struct common none = { 0 };
	char text[600];

	find_as_other(&none, "admin", text, sizeof(text));
	assert_memory_equal(text, "-13 no permission to read", 25);
	close(listener);
	listener = -1;
	find_as_other(&none, "read", text, sizeof(text));
	assert_non_null(strstr(text, "use sudo"));
}

static void what_the_user_names_comes_first(void **state)
{
	const struct common url = { .lake = "http://127.0.0.1:2" };
	const struct common named = { .lake = "http+unix:///x.sock" };
	const struct common missing = { .token_file = "/nowhere/token" };
	char text[600];

	find(&url, "read", text, sizeof(text));
	assert_string_equal(text, "0 http://127.0.0.1:2 [sesame-open]");
	find(&named, "read", text, sizeof(text));
	assert_string_equal(text, "0 http+unix:///x.sock []"); /* a token is not sent there */
	find(&missing, "read", text, sizeof(text));
	assert_non_null(strstr(text, "cannot read the token in /nowhere/token"));
	find_as_other(&missing, "read", text, sizeof(text));
	assert_memory_equal(text, "-13 ", 4);
}

static void a_joined_host_uses_the_lake_of_the_other(void **state)
{
	const struct joined_parts parts = { .url = "https://lake:8717", .token = "in-token" };
	const struct joined_parts more = { .url = "https://lake:8717", .read_token = "out-token" };
	const struct common none = { 0 };
	char text[600], path[FOLDER_PATH_SIZE];
	struct stat status;

	assert_int_equal(joined_write(data, &parts, NULL), 0);
	assert_int_equal(stat(joined_file(data, "ingest", path), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	find(&none, "read", text, sizeof(text));
	assert_memory_equal(text, "-2 ", 3);
	assert_non_null(strstr(text, "--read-token-file FILE"));
	assert_int_equal(joined_write(data, &more, NULL), 0);
	find(&none, "read", text, sizeof(text));
	assert_string_equal(text, "0 https://lake:8717 [out-token]");
	find(&none, "ingest", text, sizeof(text));
	assert_string_equal(text, "0 https://lake:8717 [in-token]");
	joined_forget(data);
	find(&none, "read", text, sizeof(text));
	assert_string_equal(text, "0 http://127.0.0.1:1 [sesame-open]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			who_may_read_the_token_uses_it_and_others_the_socket, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			the_socket_is_for_reading_and_only_where_a_lake_listens, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_user_names_comes_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_joined_host_uses_the_lake_of_the_other, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
