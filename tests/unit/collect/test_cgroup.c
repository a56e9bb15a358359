#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "collect/cgroup.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A real cgroup with a memory limit, below the one that this test runs in. */
struct home {
	char folder[512];
};

static void a_path_names_runtime_and_container(void **state)
{
	static const struct {
		const char *path, *runtime, *id;
	} cases[] = {
		{ "/system.slice/docker-" HEX ".scope", "docker", HEX },
		{ "/docker/" HEX, "docker", HEX },
		{ "/kubepods.slice/kubepods-pod1.slice/cri-containerd-" HEX ".scope", "containerd",
		  HEX },
		{ "/kubepods/burstable/pod1-2/" HEX, "kubernetes", HEX },
		{ "/machine.slice/libpod-" HEX ".scope/container", "podman", HEX },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/apptainer-77.scope",
		  "apptainer", "77" },
		{ "/slurm/uid_1000/job_42/step_0/task_0", "slurm", "42" },
		{ "/system.slice/slurmstepd.scope/job_7/step_batch", "slurm", "7" },
		{ "/lxc/web1", "lxc", "web1" },
		{ "/system.slice/cron.service", "systemd", "cron" },
		{ "/docker/short", "", "" },
		{ "/", "", "" },
		{ "", "", "" },
		{ "/a/b/c", "", "" },
	};
	char id[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_string_equal(cgroup_runtime(cases[i].path, id), cases[i].runtime);
		assert_string_equal(id, cases[i].id);
	}
}

static void limits_are_read_from_either_version(void **state)
{
	assert_true(cgroup_parse_cpu_max("150000 100000\n") == 1.5);
	assert_true(cgroup_parse_cpu_max("max 100000\n") == 0);
	assert_true(cgroup_parse_cpu_max("-1 100000") == 0);
	assert_true(cgroup_parse_cpu_max("100000 0") == 0);
	assert_true(cgroup_parse_cpu_max("") == 0);
	assert_int_equal(cgroup_parse_memory_max("1073741824\n"), 1 << 30);
	assert_int_equal(cgroup_parse_memory_max("max\n"), 0);
	assert_int_equal(cgroup_parse_memory_max("9223372036854771712\n"), 0);
	assert_int_equal(cgroup_parse_memory_max("x"), 0);
}

/* The folder of this process's cgroup by the memory controller (version 1) or in version 2. */
static void own_folder(char folder[256])
{
	CLEANUP(freep) char *text = NULL;
	size_t len;
	bool v1 = access("/sys/fs/cgroup/memory/memory.limit_in_bytes", F_OK) == 0;
	char *line, *rest;

	assert_int_equal(file_read(AT_FDCWD, "/proc/self/cgroup", 64 << 10, &text, &len), 0);
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		const char *mark = v1 ? ":memory:" : "0::", *found = strstr(line, mark);

		if (!found)
			continue;
		(void)snprintf(folder, 256, "/sys/fs/cgroup%s%.200s", v1 ? "/memory" : "",
			       found + strlen(mark));
		return;
	}
	fail_msg("this process is in no cgroup");
}

static void write_to(const char *folder, const char *file, const char *text)
{
	char path[600];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void home_make(struct home *home)
{
	char parent[256];

	own_folder(parent);
	(void)snprintf(home->folder, sizeof(home->folder), "%s/tracer-test-%d", parent, getpid());
	assert_int_equal(mkdir(home->folder, 0755), 0);
}

static void set_limit(struct home *home, const char *bytes)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/memory.max", home->folder);
	write_to(home->folder, access(path, F_OK) == 0 ? "memory.max" : "memory.limit_in_bytes",
		 bytes);
}

static void home_remove(struct home *home)
{
	/* A process that was just reaped may hold it for a moment. */
	for (int i = 0; i < 100 && rmdir(home->folder) < 0; i++)
		usleep(10000);
}

static uint64_t id_of_folder(const struct home *home)
{
	struct stat info;

	assert_int_equal(stat(home->folder, &info), 0);
	return info.st_ino;
}

/* A child that waits in the cgroup to be killed. */
static pid_t settle(const struct home *home)
{
	char pid[16];
	pid_t child = fork();

	if (child == 0) {
		for (;;)
			pause();
	}
	(void)snprintf(pid, sizeof(pid), "%d", child);
	write_to(home->folder, "cgroup.procs", pid);
	return child;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void a_cgroup_is_found_by_a_process_in_it(void **state)
{
	CLEANUP(home_remove) struct home home;
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };
	bool is_new;
	pid_t child;

	home_make(&home);
	set_limit(&home, "104857600");
	child = settle(&home);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_get(cgroups, id_of_folder(&home), (uint32_t)child, &is_new);
	assert_true(is_new);
	assert_non_null(strstr(cgroup->path, "/tracer-test-"));
	assert_int_equal(cgroup->memory_limit_bytes, 104857600);
	assert_string_equal(cgroup->runtime, "");
	assert_ptr_equal(cgroups_get(cgroups, id_of_folder(&home), 1, &is_new), cgroup);
	assert_false(is_new);
	cgroups_free(cgroups);
	end(child);
}

static void a_cgroup_is_found_when_its_processes_are_gone(void **state)
{
	CLEANUP(home_remove) struct home home;
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };
	bool is_new;

	home_make(&home);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_get(cgroups, id_of_folder(&home), 0, &is_new);
	assert_non_null(strstr(cgroup->path, "/tracer-test-"));
	cgroups_free(cgroups);
}

static void an_id_that_nothing_has_is_empty_and_asked_again_later(void **state)
{
	const struct cgroups_watch watch = { 0 };
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };
	bool is_new;

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_get(cgroups, UINT64_MAX - 1, 0, &is_new);
	assert_string_equal(cgroup->path, "");
	cgroups_check(cgroups, &watch); /* forgets it, and tells nobody */
	cgroups_get(cgroups, UINT64_MAX - 1, 0, &is_new);
	assert_true(is_new);
	cgroups_free(cgroups);
}

struct seen {
	unsigned changed, gone;
	uint64_t memory_limit_bytes;
};

static void on_changed(void *context, const struct cgroup *cgroup)
{
	struct seen *seen = context;

	seen->changed++;
	seen->memory_limit_bytes = cgroup->memory_limit_bytes;
}

static void on_gone(void *context, const struct cgroup *cgroup)
{
	((struct seen *)context)->gone++;
}

static void a_late_limit_and_the_end_of_a_cgroup_are_seen(void **state)
{
	struct home home;
	struct seen seen = { 0 };
	const struct cgroups_watch watch = { on_changed, on_gone, &seen };
	struct cgroups *cgroups;
	struct error err = { 0 };
	bool is_new;
	pid_t child;

	home_make(&home);
	child = settle(&home);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroups_get(cgroups, id_of_folder(&home), (uint32_t)child, &is_new);
	set_limit(&home, "52428800");
	cgroups_check(cgroups, &watch);
	assert_int_equal(seen.changed, 1);
	assert_int_equal(seen.memory_limit_bytes, 52428800);
	end(child);
	home_remove(&home);
	cgroups_check(cgroups, &watch);
	cgroups_check(cgroups, &watch);
	assert_int_equal(seen.gone, 1);
	cgroups_free(cgroups);
}

static void more_than_the_cap_are_forgotten_and_found_again(void **state)
{
	struct cgroups *cgroups;
	struct error err = { 0 };
	bool is_new;

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	for (uint64_t id = 1; id <= CGROUPS_CAP + 1; id++)
		assert_non_null(cgroups_get(cgroups, (1ULL << 60) + id, 0, &is_new));
	cgroups_get(cgroups, (1ULL << 60) + CGROUPS_CAP + 1, 0, &is_new);
	assert_false(is_new);
	cgroups_get(cgroups, (1ULL << 60) + 1, 0, &is_new);
	assert_true(is_new);
	cgroups_free(cgroups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_names_runtime_and_container),
		cmocka_unit_test(limits_are_read_from_either_version),
		cmocka_unit_test(a_cgroup_is_found_by_a_process_in_it),
		cmocka_unit_test(a_cgroup_is_found_when_its_processes_are_gone),
		cmocka_unit_test(an_id_that_nothing_has_is_empty_and_asked_again_later),
		cmocka_unit_test(a_late_limit_and_the_end_of_a_cgroup_are_seen),
		cmocka_unit_test(more_than_the_cap_are_forgotten_and_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
