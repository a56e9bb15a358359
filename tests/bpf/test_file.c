/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

static char folder[64]; /* on a tmpfs of this test's own */

/* The sum of all records of one file, or of a kind, of a process. */
struct use {
	uint64_t id, opens, failures, moved_bytes, size_bytes, first_ns, last_ns;
	bool reads, writes, mapped;
	int error;
	size_t paths;
};

static void add_up(struct use *sum, const struct probe_file *file)
{
	sum->opens += file->opens;
	sum->failures += file->failures;
	sum->moved_bytes += file->moved_bytes;
	if (file->path) {
		sum->paths++;
		return;
	}
	sum->size_bytes = file->size_bytes;
	sum->first_ns = file->first_ns;
	sum->last_ns = file->last_ns;
	sum->reads |= file->reads;
	sum->writes |= file->writes;
	sum->mapped |= file->mapped;
	sum->error = file->error;
}

static struct use use_of(const struct watch *watch, pid_t pid, const char *kind, uint64_t id)
{
	const struct watch_record *record;
	struct use sum = { .id = id };

	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (!strcmp(record->file.kind, kind) && (!id || record->file.id == id))
			add_up(&sum, &record->file);
	return sum;
}

static struct use file_at(const struct watch *watch, pid_t pid, const char *path)
{
	const struct watch_record *record;

	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (record->file.path && !strcmp(record->file.path, path))
			return use_of(watch, pid, "file", record->file.id);
	return (struct use){ 0 };
}

static const char *in(const char *name)
{
	static char paths[16][8192];
	static size_t next;
	char *path = paths[next++ % 16];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void make(const char *path, size_t bytes)
{
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
}

static pid_t run(struct watch *watch, const char *const *steps)
{
	const char *argv[64] = { watch_driver_path(), "files" };
	int status;
	pid_t pid;

	for (size_t i = 0; steps[i] && i < 60; i++)
		argv[i + 2] = steps[i];
	pid = watch_spawn(argv, -1, -1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	return pid;
}
#define RUN(watch, ...) run((watch), (const char *const[]){ __VA_ARGS__, NULL })

static void each_file_has_its_opens_bytes_modes_and_size(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *in_file = in("in"), *out_file = in("out");
	const struct probe_figures *figures;
	struct use use;
	pid_t pid;

	make(in_file, 12345);
	pid = RUN(watch, "r", in_file, "12345", "r", in_file, "1000", "w", out_file, "54321");
	use = file_at(watch, pid, in_file);
	assert_int_equal(use.opens, 2);
	assert_int_equal(use.moved_bytes, 13345);
	assert_int_equal(use.size_bytes, 12345);
	assert_true(use.reads && !use.writes && !use.mapped);
	assert_int_equal(use.paths, 1);
	assert_true(use.first_ns && use.last_ns >= use.first_ns);
	use = file_at(watch, pid, out_file);
	assert_int_equal(use.opens, 1);
	assert_int_equal(use.moved_bytes, 54321);
	assert_int_equal(use.size_bytes, 54321);
	assert_true(use.writes && !use.reads);
	figures = watch_final(watch, pid);
	assert_int_equal(figures->files_opened,
			 3 + use_of(watch, pid, "device", 0).opens); /* its own /dev/null */
	assert_int_equal(figures->files_failed, 0);
}

static void all_of_an_image_comes_before_its_end(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *end, *record;
	pid_t pid = RUN(watch, "w", in("early"), "1");

	end = watch_find(watch, WATCH_EXIT, pid, 0);
	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++) {
		assert_true(record->order < end->order);
		assert_int_equal(record->file.image_seq, end->exit.image_seq);
		assert_int_equal(record->file.key.start_ns, end->exit.key.start_ns);
	}
	assert_true(watch_count(watch, WATCH_FILE, pid) >= 2);
}

static void what_is_never_closed_counts_at_the_end(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *path = in("kept");
	pid_t pid = RUN(watch, "k", path, "4321");
	struct use use = file_at(watch, pid, path);

	assert_int_equal(use.opens, 1);
	assert_int_equal(use.moved_bytes, 4321);
	assert_int_equal(use.size_bytes, 4321);
}

static void a_file_that_is_mapped_and_closed_says_so(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *path = in("mapped");
	struct use use;
	pid_t pid;

	make(path, 100000);
	pid = RUN(watch, "m", path, "100000");
	use = file_at(watch, pid, path);
	assert_int_equal(use.opens, 1);
	assert_true(use.mapped && use.reads);
	assert_int_equal(use.moved_bytes, 0);
	assert_int_equal(use.size_bytes, 100000);
}

static void a_removed_file_keeps_the_path_that_it_had(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *path = in("gone");
	pid_t pid = RUN(watch, "d", path, "77");

	assert_int_equal(file_at(watch, pid, path).moved_bytes, 77);
	assert_int_equal(access(path, F_OK), -1);
}

/* Its shell opened them; to every second one the program wrote from the shell's position. */
static void what_a_program_was_begun_with_counts_from_there(void **state)
{
	static const char *const names[] = { "20", "21", "22", "23", "24", "25" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid;

	for (int i = 0; i < 6; i++) {
		CLEANUP(closep) int fd = open(in(names[i]), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		assert_int_equal(write(fd, "0123456789", (size_t)i), i);
		assert_int_equal(dup2(fd, 20 + i), 20 + i);
	}
	pid = RUN(watch, "p", "20", "500", "p", "22", "500", "p", "24", "500");
	for (int i = 0; i < 6; i++) {
		struct use use = file_at(watch, pid, in(names[i]));

		close(20 + i);
		assert_int_equal(use.opens, i % 2 == 0);
		assert_int_equal(use.moved_bytes, i % 2 ? 0 : 500);
		assert_int_equal(use.size_bytes, i % 2 ? 0 : i + 500);
	}
}

static void an_open_file_is_reported_while_it_grows(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *path = in("growing");
	const char *const argv[] = {
		watch_driver_path(), "files", "k", path, "600", "e", "", "0", NULL
	};
	int hold;
	pid_t pid = watch_start(argv, &hold);
	struct use use;

	for (int i = 0; i < 10; i++)
		assert_true(probe_sample(watch->probe) >= 1);
	watch_poll(watch);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 0);
	use = file_at(watch, pid, path);
	assert_int_equal(use.opens, 1);
	assert_int_equal(use.moved_bytes, 600);
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	use = file_at(watch, pid, path);
	assert_int_equal(use.opens, 1);
	assert_int_equal(use.moved_bytes, 600);
	assert_int_equal(use.paths, 1);
}

static void opens_that_fail_are_counted_by_their_error(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct use use;
	pid_t pid;

	make(in("file"), 0);
	pid = RUN(watch, "x", in("nothing"), "3", "x", in("file/below"), "2");
	use = use_of(watch, pid, "failed", 64 + ENOENT);
	assert_int_equal(use.failures, 3);
	assert_int_equal(use.error, ENOENT);
	assert_int_equal(use_of(watch, pid, "failed", 64 + ENOTDIR).failures, 2);
	assert_int_equal(watch_final(watch, pid)->files_failed, 5);
}

/* Its own tmpfs: no other writes fail. */
static void a_write_that_finds_no_space_is_reported_with_its_file(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *record;
	const char *path = in("full/file"), *small = in("full");
	size_t told = 0;
	struct use use;
	pid_t pid;

	mkdir(small, 0700);
	assert_int_equal(mount("small", small, "tmpfs", 0, "size=64k"), 0);
	pid = RUN(watch, "f", path, "3", "w", in("fits"), "10");
	umount2(small, MNT_DETACH);
	use = file_at(watch, pid, path);
	assert_int_equal(use.failures, 3);
	assert_int_equal(use.error, ENOSPC);
	assert_int_equal(use.opens, 1);
	assert_int_equal(use.moved_bytes, 65536);
	assert_int_equal(file_at(watch, pid, in("fits")).failures, 0);
	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (record->file.error_is_new) {
			assert_string_equal(record->file.path, path);
			assert_int_equal(record->file.error, ENOSPC);
			told++;
		}
	assert_int_equal(told, 1);
	assert_int_equal(watch_final(watch, pid)->files_failed, 0);
}

static void libraries_and_settings_are_the_systems(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid = RUN(watch, "r", "/etc/passwd", "10", "r", "/etc/passwd", "10", "r",
			"/proc/self/stat", "10");

	assert_int_equal(file_at(watch, pid, "/etc/passwd").paths, 0);
	assert_int_equal(use_of(watch, pid, "system", 0).opens, 2);
	assert_int_equal(use_of(watch, pid, "pseudo", 0).opens, 1);
}

static void of_5000_files_256_are_reported_and_the_rest_is_summed(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *path = in("many");
	struct probe_losses losses;
	struct use use, more;
	pid_t pid;

	mkdir(path, 0700);
	pid = RUN(watch, "n", path, "5000");
	use = use_of(watch, pid, "file", 0);
	more = use_of(watch, pid, "more", 0);
	assert_int_equal(use.opens, 256);
	assert_int_equal(use.moved_bytes, 2560);
	assert_int_equal(use.paths, 256);
	assert_int_equal(use.opens + more.opens, 5000);
	assert_int_equal(use.moved_bytes + more.moved_bytes, 50000);
	assert_true(watch_final(watch, pid)->files_opened >= 5000);
	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_int_equal(losses.file, 0);
}

static void a_bind_mount_and_an_overlay_show_the_path_that_was_used(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *lower = in("lower"), *bound = in("bound"), *merged = in("merged");
	char options[512];
	pid_t pid;

	mkdir(lower, 0700);
	mkdir(bound, 0700);
	mkdir(merged, 0700);
	mkdir(in("upper"), 0700);
	mkdir(in("work"), 0700);
	make(in("lower/data"), 9);
	assert_int_equal(mount(lower, bound, NULL, MS_BIND, NULL), 0);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s", lower, in("upper"),
		 in("work"));
	assert_int_equal(mount("overlay", merged, "overlay", 0, options), 0);
	pid = RUN(watch, "r", in("bound/data"), "9", "r", in("merged/data"), "9", "w",
		  in("merged/new"), "5");
	assert_int_equal(file_at(watch, pid, in("bound/data")).moved_bytes, 9);
	assert_int_equal(file_at(watch, pid, in("merged/data")).moved_bytes, 9);
	assert_int_equal(file_at(watch, pid, in("merged/new")).moved_bytes, 5);
	umount2(merged, MNT_DETACH);
	umount2(bound, MNT_DETACH);
}

/* 100 folders deep: the last 64 parts, and a mark that there were more. */
static void the_end_of_a_deep_path_is_reported(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	char path[4096];
	const char *told = NULL;
	pid_t pid;

	snprintf(path, sizeof(path), "%s", folder);
	for (int i = 0; i < 100; i++) {
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/d%d", i);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	strcat(path, "/leaf");
	pid = RUN(watch, "w", path, "3");
	for (size_t i = 0; !told && i < watch_count(watch, WATCH_FILE, pid); i++)
		told = watch_find(watch, WATCH_FILE, pid, i)->file.path;
	assert_non_null(told);
	assert_int_equal(strncmp(told, "…/d37/", strlen("…/d37/")), 0);
	assert_string_equal(told + strlen("…"), strstr(path, "/d37/"));
}

/* The driver runs here, too: a mount namespace, and a tmpfs in it, of their own. */
static int setup(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/probe_files.%d", getpid());
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mkdir(folder, 0700) || mount("files", folder, "tmpfs", 0, "size=64m");
}

static int teardown(void **state)
{
	umount2(folder, MNT_DETACH);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_has_its_opens_bytes_modes_and_size),
		cmocka_unit_test(all_of_an_image_comes_before_its_end),
		cmocka_unit_test(what_is_never_closed_counts_at_the_end),
		cmocka_unit_test(a_file_that_is_mapped_and_closed_says_so),
		cmocka_unit_test(a_removed_file_keeps_the_path_that_it_had),
		cmocka_unit_test(what_a_program_was_begun_with_counts_from_there),
		cmocka_unit_test(an_open_file_is_reported_while_it_grows),
		cmocka_unit_test(opens_that_fail_are_counted_by_their_error),
		cmocka_unit_test(a_write_that_finds_no_space_is_reported_with_its_file),
		cmocka_unit_test(libraries_and_settings_are_the_systems),
		cmocka_unit_test(of_5000_files_256_are_reported_and_the_rest_is_summed),
		cmocka_unit_test(a_bind_mount_and_an_overlay_show_the_path_that_was_used),
		cmocka_unit_test(the_end_of_a_deep_path_is_reported),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
