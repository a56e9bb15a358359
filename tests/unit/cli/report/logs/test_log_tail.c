/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
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
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "cli/report/logs/log_tail.h"

static char folder[] = "/tmp/tracer-log.XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/log", folder);
	return 0;
}

static int remove_folder(void **state)
{
	return file_remove_tree(folder);
}

static void writes(const char *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

/* What is printed below the line that names the file; the caller's (free). NULL: nothing. */
static char *tail_of(const char *name, int expected)
{
	char *text = NULL, *below = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(log_tail_print(out, name), expected);
	(void)fclose(out);
	if (len > 0) {
		assert_non_null(strstr(text, ":\n"));
		below = strdup(strchr(text, '\n') + 1);
	}
	free(text);
	return below;
}

static void prints(const char *bytes, size_t len, const char *expected)
{
	char *text;

	writes(bytes, len);
	text = tail_of(path, 0);
	assert_string_equal(text, expected);
	free(text);
}

static void the_last_lines_are_printed(void **state)
{
	char bytes[512] = "", expected[512] = "";

	prints("one\n", 4, "    one\n");
	prints("one\ntwo", 7, "    one\n    two\n");
	prints("\n\nx\n", 4, "    \n    \n    x\n");
	for (int i = 0; i < 30; i++) {
		size_t len = strlen(bytes), shown = strlen(expected);

		(void)snprintf(bytes + len, sizeof(bytes) - len, "line %d\n", i);
		if (i >= 30 - LOG_TAIL_LINES)
			(void)snprintf(expected + shown, sizeof(expected) - shown, "    line %d\n",
				       i);
	}
	prints(bytes, strlen(bytes), expected);
}

static void what_commands_a_terminal_is_made_harmless(void **state)
{
	prints("\033[2J\033]0;x\a\xff\x9b\xc2\x9b", 14, "    ?[2J?]0;x????\n");
	prints("a\0b\tc\r\n", 7, "    a?b c\n");
	prints("10 %\r20 %\r\n", 11, "    20 %\n");
	prints("\xe2\x80\xae evil\n", 9, "    ? evil\n");
}

static void of_a_large_file_whole_lines_of_its_end_are_read(void **state)
{
	size_t len = LOG_TAIL_BYTES + 100;
	char *bytes = malloc(len), *text;

	assert_non_null(bytes);
	memset(bytes, 'x', len);
	memcpy(bytes + len - 5, "\nend\n", 5);
	writes(bytes, len);
	text = tail_of(path, 0);
	assert_string_equal(text, "    end\n");
	free(text);
	memset(bytes, 'x', len); /* no line feed at all */
	writes(bytes, len);
	text = tail_of(path, 0);
	assert_int_equal(strlen(text), 4 + LOG_TAIL_BYTES + 1);
	free(text);
	free(bytes);
}

static void only_regular_files_are_opened(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char other[96];
	int fd;

	writes("x", 1);
	(void)snprintf(other, sizeof(other), "%s/link", folder);
	assert_int_equal(symlink(path, other), 0);
	assert_null(tail_of(other, -ELOOP));
	(void)snprintf(other, sizeof(other), "%s/fifo", folder);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_null(tail_of(other, -EBADF)); /* and does not wait for a writer */
	(void)snprintf(other, sizeof(other), "%s/socket", folder);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	memcpy(address.sun_path, other, strlen(other));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_null(tail_of(other, -ENXIO));
	(void)close(fd);
	assert_null(tail_of(folder, -EBADF));
	assert_null(tail_of("/dev/zero", -EBADF));
	assert_null(tail_of("/dev/null", -EBADF));
	assert_null(tail_of("log", -EINVAL));
	assert_null(tail_of("", -EINVAL));
	(void)snprintf(other, sizeof(other), "%s/none", folder);
	assert_null(tail_of(other, -ENOENT));
	writes("", 0);
	assert_null(tail_of(path, -ENODATA));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_lines_are_printed),
		cmocka_unit_test(what_commands_a_terminal_is_made_harmless),
		cmocka_unit_test(of_a_large_file_whole_lines_of_its_end_are_read),
		cmocka_unit_test(only_regular_files_are_opened),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
