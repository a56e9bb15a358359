/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "fixture_helper.h"

/* tracer-gpu as a process, before folders that look like /proc and /sys. */

#define NODE "sys/class/drm/renderD128/device"

static void put(const struct helper *helper, const char *file, const char *text)
{
	char path[256], *slash;

	(void)snprintf(path, sizeof(path), "%s/%s", helper->folder, file);
	slash = strrchr(path, '/');
	*slash = '\0';
	assert_int_equal(file_make_folder(path, 0755, NULL), 0);
	*slash = '/';
	assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
}

/* A process with a descriptor of a device; began: the start time in its stat, boot-time clock. */
static void put_process(const struct helper *helper, int pid, int fd, const char *target,
			uint64_t began_ns, const char *fdinfo)
{
	char file[128], path[256], text[256];

	(void)snprintf(file, sizeof(file), "proc/%d/fdinfo/%d", pid, fd);
	put(helper, file, fdinfo);
	(void)snprintf(text, sizeof(text),
		       "%d (a b) c) S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 %llu 0 0\n", pid,
		       (unsigned long long)(began_ns / (uint64_t)NS_PER_S *
					    (uint64_t)sysconf(_SC_CLK_TCK)));
	(void)snprintf(file, sizeof(file), "proc/%d/stat", pid);
	put(helper, file, text);
	(void)snprintf(path, sizeof(path), "%s/proc/%d/fd", helper->folder, pid);
	assert_int_equal(file_make_folder(path, 0755, NULL), 0);
	(void)snprintf(path, sizeof(path), "%s/proc/%d/fd/%d", helper->folder, pid, fd);
	assert_true(symlink(target, path) == 0 || errno == EEXIST);
}

static void remove_process(const struct helper *helper, int pid)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/proc/%d", helper->folder, pid);
	assert_int_equal(file_remove_tree(path), 0);
}

static const char *amdgpu(int client, unsigned busy_ms, unsigned memory_mib)
{
	static char text[512];

	(void)snprintf(text, sizeof(text),
		       "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t%d\ndrm-pdev:\t0000:03:00.0\n"
		       "drm-memory-vram:\t%u MiB\ndrm-engine-gfx:\t%u000000 ns\n",
		       client, memory_mib, busy_ms);
	return text;
}

static void begin(struct helper *helper)
{
	const char *const arguments[] = { "drm",        "--root", helper->folder,
					  "--interval", "200ms",  NULL };

	helper_folder(helper);
	put(helper, NODE "/uevent",
	    "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:73BF\nPCI_SLOT_NAME=0000:03:00.0\n");
	put(helper, NODE "/mem_info_vram_total", "17163091968\n");
	put(helper, NODE "/mem_info_vram_used", "4194304\n");
	put(helper, NODE "/gpu_busy_percent", "37\n");
	put(helper, NODE "/hwmon/hwmon4/power1_average", "203000000\n");
	put(helper, NODE "/hwmon/hwmon4/temp1_input", "61000\n");
	put(helper, NODE "/hwmon/hwmon4/freq1_input", "2450000000\n");
	put(helper, "sys/class/drm/renderD129/device/uevent",
	    "DRIVER=nvidia\nPCI_SLOT_NAME=0000:04:00.0\n");
	put_process(helper, 10, 5, "/dev/dri/renderD128", 0, amdgpu(1, 700, 100));
	helper_start(helper, TRACER_GPU, arguments);
}

/* The pid's line of the next whole reading that has one; readings without are passed over. */
static struct gpu_process next_of(struct helper *helper, uint32_t pid)
{
	struct gpu_line line;

	for (int lines = 0; lines < 1000; lines++) {
		assert_true(helper_line(helper, &line));
		if (line.kind == GPU_LINE_PROCESS && line.process.pid == pid)
			return line.process;
	}
	fail_msg("no line of process %u", pid);
	return (struct gpu_process){ 0 };
}

/* What the pid's lines add up to, until its memory is as wanted. */
static uint64_t busy_until(struct helper *helper, uint32_t pid, uint64_t memory_bytes)
{
	uint64_t busy_ns = 0;
	struct gpu_process process;

	do {
		process = next_of(helper, pid);
		busy_ns += process.busy_ns;
	} while (process.memory_bytes != memory_bytes);
	return busy_ns;
}

#define MS  (uint64_t) NS_PER_MS
#define MIB ((uint64_t)1 << 20)

static void devices_are_as_sysfs_shows_them(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper);
	helper_until(&helper, GPU_LINE_DEVICE, &line);
	assert_string_equal(line.device.uuid, "drm-0000:03:00.0");
	assert_string_equal(line.device.name, "amdgpu 1002:73BF");
	assert_string_equal(line.device.driver, "amdgpu");
	assert_true(line.device.memory_bytes == 17163091968);
	assert_true(helper_line(&helper, &line)); /* NVIDIA's is NVML's */
	assert_int_equal(line.kind, GPU_LINE_STATE);
	assert_int_equal(line.state.busy_percent, 37);
	assert_int_equal(line.state.memory_used_bytes, 4194304);
	assert_int_equal(line.state.power_mw, 203000);
	assert_int_equal(line.state.celsius, 61);
	assert_int_equal(line.state.clock_mhz, 2450);
	assert_true(line.state.memory_busy_percent == GPU_UNKNOWN &&
		    line.state.throttle == GPU_UNKNOWN);
}

static void a_client_counts_from_when_it_is_seen_or_from_its_beginning(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };

	begin(&helper);
	assert_int_equal(busy_until(&helper, 10, 100 * MIB), 0); /* earlier use is unknown */
	put_process(&helper, 10, 5, "/dev/dri/renderD128", 0, amdgpu(1, 900, 101));
	assert_int_equal(busy_until(&helper, 10, 101 * MIB), 200 * MS);
	/* A process that began later: all of it, on the first sight. */
	put_process(&helper, 11, 3, "/dev/dri/renderD128", clock_boot_ns() + 10 * NS_PER_S,
		    amdgpu(2, 300, 7));
	assert_int_equal(busy_until(&helper, 11, 7 * MIB), 300 * MS);
	/* Two clients of one process add. */
	put_process(&helper, 11, 4, "/dev/dri/card0", clock_boot_ns() + 10 * NS_PER_S,
		    amdgpu(3, 50, 2));
	assert_int_equal(busy_until(&helper, 11, 9 * MIB), 50 * MS);
}

static void a_descriptor_that_is_shared_counts_once(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper);
	put_process(&helper, 12, 5, "/dev/dri/renderD128", clock_boot_ns() + 10 * NS_PER_S,
		    amdgpu(1, 700, 100)); /* inherited from 10 */
	assert_int_equal(busy_until(&helper, 10, 100 * MIB), 0);
	for (int ends = 0; ends < 4;) {
		assert_true(helper_line(&helper, &line));
		ends += line.kind == GPU_LINE_END;
		assert_true(line.kind != GPU_LINE_PROCESS || line.process.pid == 10);
	}
	/* Its first owner goes: the other has it on, and nothing counts again. */
	remove_process(&helper, 10);
	put_process(&helper, 12, 5, "/dev/dri/renderD128", clock_boot_ns() + 10 * NS_PER_S,
		    amdgpu(1, 720, 103));
	assert_int_equal(busy_until(&helper, 12, 103 * MIB), 20 * MS);
}

static void other_descriptors_and_devices_are_passed_over(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper);
	put_process(&helper, 13, 3, "/dev/null", 0, amdgpu(8, 1, 1));
	put_process(&helper, 14, 3, "/dev/dri/renderD129", 0,
		    "drm-driver:\tnvidia\ndrm-client-id:\t9\ndrm-pdev:\t0000:04:00.0\n");
	put_process(&helper, 15, 3, "/dev/dri/renderD128", 0, "pos:\t0\n");
	for (int ends = 0; ends < 4;) {
		assert_true(helper_line(&helper, &line));
		ends += line.kind == GPU_LINE_END;
		assert_true(line.kind != GPU_LINE_PROCESS || line.process.pid == 10);
	}
}

static void a_host_full_of_processes_is_seen_in_turns(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_process process;
	char file[128];

	begin(&helper);
	for (int pid = 1000; pid < 2200; pid++) {
		(void)snprintf(file, sizeof(file), "%s/proc/%d", helper.folder, pid);
		assert_int_equal(mkdir(file, 0755), 0);
	}
	put_process(&helper, 5000, 3, "/dev/dri/renderD128", 0, amdgpu(77, 5, 5));
	process = next_of(&helper, 5000);
	assert_true(process.memory_bytes == 5 * MIB);
	process = next_of(&helper, 5000); /* once known, in every reading */
	assert_int_equal(next_of(&helper, 10).memory_bytes, 100 * MIB);
}

static void a_device_that_vanishes_ends_it(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;
	char path[256];

	begin(&helper);
	helper_until(&helper, GPU_LINE_END, &line);
	(void)snprintf(path, sizeof(path), "%s/sys/class/drm/renderD128", helper.folder);
	assert_int_equal(file_remove_tree(path), 0);
	helper_until(&helper, GPU_LINE_GONE, &line);
	assert_string_equal(line.uuid, "drm-0000:03:00.0");
	helper_until(&helper, GPU_LINE_NOTE, &line);
	assert_int_equal(helper_end(&helper), 1);
}

/* CAP_SYS_PTRACE 19, CAP_DAC_READ_SEARCH 2. */
#define KEPT 0x80004

static void it_keeps_the_two_rights_that_it_needs(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper);
	helper_until(&helper, GPU_LINE_END, &line);
	assert_int_equal(process_status(helper.pid, "CapEff"),
			 process_status(getpid(), "CapEff") & KEPT);
	if (may_drop_bounding())
		assert_int_equal(process_status(helper.pid, "CapBnd"), KEPT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_as_sysfs_shows_them),
		cmocka_unit_test(a_client_counts_from_when_it_is_seen_or_from_its_beginning),
		cmocka_unit_test(a_descriptor_that_is_shared_counts_once),
		cmocka_unit_test(other_descriptors_and_devices_are_passed_over),
		cmocka_unit_test(a_host_full_of_processes_is_seen_in_turns),
		cmocka_unit_test(a_device_that_vanishes_ends_it),
		cmocka_unit_test(it_keeps_the_two_rights_that_it_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
