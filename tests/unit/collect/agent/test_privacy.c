/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "collect/container/container.h"
#include "collect/stall/stall_end.h"
#include "collect/attribution/root_image_store.h"
#include "fixture_cgroup.h"
#include "fixture_kernel.h"
#include "wait.h"

/* A secret is put wherever an agent reads something; no record and no file of its state has it. */
#define SECRET "hunter2"

static const char *const runner[] = { "/usr/bin/tracer",
				      "run",
				      "--name",
				      "password=" SECRET,
				      "--label",
				      "token=" SECRET,
				      "--",
				      "bash",
				      NULL };
static const char *const bash[] = { "/bin/bash", "password=" SECRET ".sh",    "--token",
				    SECRET,      "https://me:" SECRET "@h/x", NULL };

static void start(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, NS_PER_MS);
}

static size_t count_in(const void *bytes, size_t len, const char *text)
{
	size_t count = 0, text_len = strlen(text);
	const char *at = bytes, *end = at + len;

	while ((at = memmem(at, (size_t)(end - at), text, text_len))) {
		at += text_len;
		count++;
	}
	return count;
}

/* Nothing that was sent has the secret; something of it has `masked`, where it was. */
static void assert_private(struct kernel *kernel, const char *masked)
{
	size_t found = 0;

	kernel_flush(kernel);
	for (size_t i = 0; i < kernel->kept.count; i++) {
		const Signal__Batch *batch = kernel->kept.batches[i];
		size_t len = signal__batch__get_packed_size(batch);
		uint8_t *bytes = malloc(len + 1);

		assert_non_null(bytes);
		signal__batch__pack(batch, bytes);
		assert_int_equal(count_in(bytes, len, SECRET), 0);
		found += count_in(bytes, len, masked);
		free(bytes);
	}
	if (!found)
		fail_msg("'%s' is in no record", masked);
}

static void arguments_and_names_of_a_run(void **state)
{
	struct kernel kernel;

	start(&kernel);
	kernel_exit(&kernel, 10, 4, 1, 0, NS_PER_MS);
	assert_private(&kernel, "https://***@h/x");
	assert_private(&kernel, "password=***");
	kernel_stop(&kernel);
}

static void paths_of_a_program_and_of_its_folder(void **state)
{
	const char *const argv[] = { "x", NULL };
	struct probe_image image = { .key = kernel_key(11),
				     .parent = kernel_key(10),
				     .image_seq = 7,
				     .exe = "/opt/token=" SECRET,
				     .cwd = "/data/secret=" SECRET,
				     .argv = argv,
				     .argc = 1 };
	struct kernel kernel;

	start(&kernel);
	kernel_fork(&kernel, 11, 10);
	image.at_ns = kernel.now_ns;
	kernel.probe.on_image(kernel.probe.context, &image);
	assert_private(&kernel, "/opt/token=***");
	assert_private(&kernel, "/data/secret=***");
	kernel_stop(&kernel);
}

static void files_that_are_used_and_fail(void **state)
{
	struct probe_file file = { .key = kernel_key(10),
				   .image_seq = 4,
				   .id = 99,
				   .kind = "file",
				   .path = "/data/x?X-Amz-Signature=" SECRET,
				   .error = ENOSPC,
				   .error_is_new = true,
				   .writes = true };
	struct kernel kernel;

	start(&kernel);
	kernel.probe.on_file(kernel.probe.context, &file);
	assert_private(&kernel, "writing /data/x?X-Amz-Signature=***");
	assert_non_null(sink_event(&kernel.kept, "disk_full", 0));
	kernel_stop(&kernel);
}

static void what_could_not_be_run(void **state)
{
	struct probe_attempt attempt = {
		.key = kernel_key(11), .count = 1, .error = ENOENT, .path = "/opt/token=" SECRET
	};
	struct kernel kernel;

	start(&kernel);
	kernel_fork(&kernel, 11, 10);
	kernel.probe.on_attempt(kernel.probe.context, &attempt);
	kernel_exit(&kernel, 11, 1, 127, 0, 0);
	assert_private(&kernel, "could not run /opt/token=***");
	kernel_stop(&kernel);
}

static void who_killed_it(void **state)
{
	struct probe_kill kill = { .key = kernel_key(11),
				   .sender = kernel_key(99),
				   .sender_comm = "token=" SECRET,
				   .signal = SIGKILL };
	struct kernel kernel;

	start(&kernel);
	kernel_fork(&kernel, 11, 10);
	kernel.probe.on_kill(kernel.probe.context, &kill);
	kernel_exit(&kernel, 11, 1, 0, SIGKILL, 0);
	assert_private(&kernel, "was killed by token=***");
	kernel_stop(&kernel);
}

static void make_home(struct cgroup_home *home)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "/lxc.payload.password=" SECRET "-%d", getpid());
	cgroup_home_make_at(home, path);
}

static void containers_and_their_control_groups(void **state)
{
	struct container_facts facts = { .name = NULL };
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct probe_alive alive = { .key = kernel_key(10), .image_seq = 4 };
	struct kernel kernel;
	static const char docker[] = "{\"Name\":\"/web-token=" SECRET "\",\"Config\":{\"Image\":"
				     "\"https://me:" SECRET "@quay.io/x:1\"}}";

	make_home(&home);
	start(&kernel);
	alive.cgroup_id = cgroup_home_id(&home);
	kernel.probe.on_alive(kernel.probe.context, &alive);
	assert_true(container_facts_docker(docker, sizeof(docker) - 1, &facts));
	pipeline_take_facts(&kernel.pipeline, alive.cgroup_id, &facts);
	assert_private(&kernel, "/lxc.payload.password=***");
	assert_private(&kernel, "container web-token=*** (https://***@quay.io/x:1) started");
	kernel_stop(&kernel);
}

static void the_control_group_that_was_full(void **state)
{
	struct probe_kill kill = { .key = kernel_key(10),
				   .sender = kernel_key(10),
				   .sender_comm = "x",
				   .signal = SIGKILL,
				   .oom = true,
				   .limit_bytes = 1 << 20,
				   .limit_level = 1 };
	struct probe_alive alive = { .key = kernel_key(10), .image_seq = 4 };
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;

	make_home(&home);
	start(&kernel);
	alive.cgroup_id = cgroup_home_id(&home);
	kernel.probe.on_alive(kernel.probe.context, &alive);
	kernel.probe.on_kill(kernel.probe.context, &kill);
	kernel_exit(&kernel, 10, 4, 0, SIGKILL, 0);
	assert_private(&kernel, "out of memory in /lxc.payload.password=***");
	kernel_stop(&kernel);
}

static void control_groups_of_others(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	pid_t child;

	make_home(&home);
	start(&kernel);
	untracked_send(kernel.pipeline.untracked, 0);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		cgroup_home_join(&home, getpid());
		while (clock() < CLOCKS_PER_SEC / 5)
			;
		_exit(0);
	}
	cgroup_home_wait(child);
	untracked_send(kernel.pipeline.untracked, 100 * (uint64_t)NS_PER_S);
	assert_private(&kernel, "/lxc.payload.password=***");
	kernel_stop(&kernel);
}

/* A child that opens the path, says so, and goes on as it is asked to. */
static pid_t open_in_child(const char *path, int flags, const char *name, bool reads)
{
	int ready[2];
	char byte;
	pid_t child;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		int fd = open(path, flags);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		(void)!write(ready[1], "r", 1);
		if (reads)
			(void)!read(fd, &byte, 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static bool has_end(struct kernel *kernel, pid_t child, struct stall_end *end)
{
	const struct probe_key key = kernel_key((uint32_t)child);
	size_t left = 100000;

	stall_end_find(kernel->pipeline.processes,
		       process_table_get(kernel->pipeline.processes, &key), STALL_ON_PIPE, &left,
		       end);
	return *end->text;
}

static void find_end(struct kernel *kernel, pid_t child, struct stall_end *end)
{
	kernel_image(kernel, (uint32_t)child, 10, 3, bash);
	WAIT_FOR(has_end(kernel, child, end), "the process to wait at its pipe");
}

static void what_a_stalled_one_waits_for(void **state)
{
	char folder[] = "/tmp/tracer-privacy-XXXXXX", path[128];
	struct kernel kernel;
	struct stall_end end;
	pid_t child;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/password=" SECRET, folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	start(&kernel);
	child = open_in_child(path, O_RDWR, "x", true);
	find_end(&kernel, child, &end);
	assert_non_null(strstr(end.text, "/password=***"));
	assert_null(strstr(end.text, SECRET));
	end_child(child);
	kernel_stop(&kernel);
	file_remove_tree(folder);
}

static void who_holds_the_other_end_of_what_it_waits_for(void **state)
{
	char path[64];
	struct kernel kernel;
	struct stall_end end;
	pid_t child, holder;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	holder = open_in_child(path, O_WRONLY, "token=" SECRET, false);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	child = open_in_child(path, O_RDONLY, "x", true);
	close(ends[0]);
	close(ends[1]);
	start(&kernel);
	find_end(&kernel, child, &end);
	assert_non_null(strstr(end.text, "is held by token=***"));
	end_child(child);
	end_child(holder);
	kernel_stop(&kernel);
}

static void what_is_kept_for_the_next_agent(void **state)
{
	char folder[] = "/tmp/tracer-privacy-XXXXXX", path[128], *text;
	struct kernel kernel;
	struct root_image_store *store;
	size_t len;

	assert_non_null(mkdtemp(folder));
	kernel_start(&kernel, 100);
	assert_int_equal(root_image_store_open(&store, folder, NULL), 0);
	attributor_parts(kernel.pipeline.attributor)->root_images = store;
	kernel_image(&kernel, 10, 1, 3, runner);
	(void)snprintf(path, sizeof(path), "%s/begun/10-%llu", folder,
		       (unsigned long long)kernel_key(10).start_ns);
	assert_int_equal(file_read(AT_FDCWD, path, ROOT_IMAGE_BYTES, &text, &len), 0);
	assert_int_equal(count_in(text, len, SECRET), 0);
	assert_int_equal(count_in(text, len, "password=***"), 1);
	free(text);
	kernel_stop(&kernel);
	root_image_store_close(store);
	file_remove_tree(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_and_names_of_a_run),
		cmocka_unit_test(paths_of_a_program_and_of_its_folder),
		cmocka_unit_test(files_that_are_used_and_fail),
		cmocka_unit_test(what_could_not_be_run),
		cmocka_unit_test(who_killed_it),
		cmocka_unit_test(containers_and_their_control_groups),
		cmocka_unit_test(the_control_group_that_was_full),
		cmocka_unit_test(control_groups_of_others),
		cmocka_unit_test(what_a_stalled_one_waits_for),
		cmocka_unit_test(who_holds_the_other_end_of_what_it_waits_for),
		cmocka_unit_test(what_is_kept_for_the_next_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
