/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* A process that writes and closes a file, byte by byte, while it is sampled on another CPU: each
 * byte and each open is counted once. */

#define ROUNDS      "1000"
#define ROUND_BYTES 1000 /* as in lib/driver_file.c */

static uint64_t id_of(const struct watch *watch, pid_t pid, const char *path)
{
	const struct watch_record *record;

	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (record->file.path && !strcmp(record->file.path, path))
			return record->file.id;
	return 0;
}

static void each_byte_is_counted_once_while_sampled(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	char path[] = "/tmp/probe_sampled.XXXXXX";
	int fd = mkstemp(path);
	const char *const argv[] = { watch_driver_path(), "files", "b", path, ROUNDS, NULL };
	const struct watch_record *record;
	uint64_t id, opens = 0, moved_bytes = 0;
	pid_t pid;

	assert_true(fd >= 0);
	close(fd);
	pid = watch_spawn(argv, -1, -1);
	while (waitpid(pid, NULL, WNOHANG) == 0)
		probe_sample(watch->probe);
	watch_until_exit(watch, pid);
	unlink(path);
	id = id_of(watch, pid, path);
	assert_int_not_equal(id, 0);
	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++) {
		opens += record->file.id == id ? record->file.opens : 0;
		moved_bytes += record->file.id == id ? record->file.moved_bytes : 0;
	}
	assert_int_equal(opens, atoi(ROUNDS));
	assert_int_equal(moved_bytes, opens * ROUND_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_is_counted_once_while_sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
