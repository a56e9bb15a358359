/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* The paths of a program and its working folder, as the program itself sees them. (Of the files
 * that it uses: test_file.c.) */

#define DEPTH 4096

static char folder[64]; /* on a tmpfs of this test's own */

static const char *in(const char *name)
{
	static char paths[16][256];
	static size_t next;
	char *path = paths[next++ % 16];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static const char *make(const char *name)
{
	const char *path = in(name);

	if (mkdir(path, 0700))
		fail_msg("cannot make %s", path);
	return path;
}

/* A copy of the driver in a folder, with the driver's name. */
static void copy_driver(const char *where)
{
	CLEANUP(closep) int from = open(watch_driver_path(), O_RDONLY | O_CLOEXEC), to = -1;
	char path[PATH_MAX];
	struct stat stat;

	snprintf(path, sizeof(path), "%s/%s", where, watch_driver_name());
	to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	assert_true(from >= 0 && to >= 0 && fstat(from, &stat) == 0);
	for (off_t at = 0; at < stat.st_size;)
		assert_true(sendfile(to, from, &at, (size_t)(stat.st_size - at)) > 0);
	close(to);
}

/* Called in the child: goes to its folder; false: it cannot. */
typedef bool prepare(const char *path);

/* Runs the driver of the folder `bin`, as seen from the folder that `go` went to. */
static const struct probe_image *run(struct watch *watch, prepare *go, const char *path,
				     const char *bin)
{
	char program[PATH_MAX];
	int status;
	pid_t pid;

	snprintf(program, sizeof(program), "%s/%s", bin, watch_driver_name());
	pid = fork();
	if (pid == 0) {
		if (go(path))
			execl(program, "driver", "nothing", NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 1);
	return &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
}

static bool enter(const char *path)
{
	return chdir(path) == 0;
}

static void is_at(const struct probe_image *image, const char *bin, const char *cwd)
{
	char exe[PATH_MAX];

	snprintf(exe, sizeof(exe), "%s/%s", bin, watch_driver_name());
	assert_string_equal(image->exe, exe);
	assert_string_equal(image->cwd, cwd);
}

static void a_bind_mount_is_where_it_was_used(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *origin = make("origin"), *bound = make("bound");

	copy_driver(origin);
	assert_int_equal(mount(origin, bound, NULL, MS_BIND, NULL), 0);
	is_at(run(watch, enter, bound, bound), bound, bound);
	is_at(run(watch, enter, origin, bound), bound, origin);
}

static void an_overlay_is_where_it_was_used_whichever_layer_has_it(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *lower = make("lower"), *upper = make("upper"), *work = make("work"),
		   *merged = make("merged");
	char options[1024];

	copy_driver(lower);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper,
		 work);
	assert_int_equal(mount("overlay", merged, "overlay", 0, options), 0);
	is_at(run(watch, enter, merged, merged), merged, merged);
	copy_driver(merged); /* up */
	is_at(run(watch, enter, merged, merged), merged, merged);
}

/* As containers do: a mount namespace with a folder of this one as its root. */
static bool pivot(const char *root)
{
	return unshare(CLONE_NEWNS) == 0 && chdir(root) == 0 &&
	       syscall(SYS_pivot_root, ".", "./old") == 0 && chdir("/bin") == 0 &&
	       umount2("/old", MNT_DETACH) == 0;
}

static void in_another_mount_namespace_its_root_is_the_root(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *image;
	const char *root = make("root");
	struct stat own;

	assert_int_equal(mount("root", root, "tmpfs", 0, "size=64m"), 0);
	copy_driver(make("root/bin"));
	make("root/old");
	assert_int_equal(mount("/proc", make("root/proc"), NULL, MS_BIND, NULL), 0);
	image = run(watch, pivot, root, "/bin");
	is_at(image, "/bin", "/bin");
	assert_int_equal(stat("/proc/self/ns/mnt", &own), 0);
	assert_int_not_equal(image->mnt_ns, own.st_ino);
}

static bool enter_and_remove(const char *path)
{
	return chdir(path) == 0 && rmdir(path) == 0;
}

static void a_folder_that_is_gone_keeps_its_path(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *bin = make("bin");

	copy_driver(bin);
	is_at(run(watch, enter_and_remove, make("left"), bin), bin, in("left"));
}

/* Deeper than a path can be long: no path leads there in one step. */
static bool enter_depth(const char *name)
{
	for (int i = 0; i < DEPTH; i++)
		if (mkdir(name, 0700) || chdir(name))
			return false;
	return true;
}

static void of_4096_folders_the_last_64_are_reported(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *image;
	const char *part;
	int parts = 0;
	char own[PATH_MAX];

	assert_non_null(getcwd(own, sizeof(own)));
	copy_driver(make("shallow"));
	assert_int_equal(chdir(make("deep")), 0);
	image = run(watch, enter_depth, "part", in("shallow"));
	assert_int_equal(chdir(own), 0);
	assert_true(text_starts_with(image->cwd, "…/part/"));
	for (part = image->cwd; (part = strstr(part, "/part")); part++)
		parts++;
	assert_int_equal(parts, 64);
	assert_int_equal(strlen(image->cwd), strlen("…") + 64 * strlen("/part"));
}

/* A mount namespace, and a tmpfs in it, of this test's own: they go with it. */
static int setup(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/probe_path.%d", getpid());
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mkdir(folder, 0700) || mount("path", folder, "tmpfs", 0, "size=256m");
}

static int teardown(void **state)
{
	umount2(folder, MNT_DETACH);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bind_mount_is_where_it_was_used),
		cmocka_unit_test(an_overlay_is_where_it_was_used_whichever_layer_has_it),
		cmocka_unit_test(in_another_mount_namespace_its_root_is_the_root),
		cmocka_unit_test(a_folder_that_is_gone_keeps_its_path),
		cmocka_unit_test(of_4096_folders_the_last_64_are_reported),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
