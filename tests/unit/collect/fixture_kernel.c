/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_kernel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "correlate/rules/rules.h"

void kernel_start(struct kernel *kernel, size_t process_limit)
{
	struct error err = { 0 };
	struct outbox_sink sink = sink_keeps(&kernel->kept);
	struct pipeline_options options = { .host_id = "host",
					    .boot_id = "boot",
					    .process_limit = process_limit };

	kernel->cgroup_id = 0;
	assert_int_equal(rules_new(&kernel->rules, &err), 0);
	kernel->outbox = outbox_new("agent", "host", "boot", &sink);
	assert_non_null(kernel->outbox);
	options.rules = kernel->rules;
	options.outbox = kernel->outbox;
	assert_int_equal(pipeline_open(&kernel->pipeline, &options, &err), 0);
	kernel->probe = pipeline_handler(&kernel->pipeline);
	/* Long ago: whatever ends has lingered long enough at the next flush. */
	kernel->now_ns = clock_boot_ns() - 100 * NS_PER_S;
}

void kernel_stop(struct kernel *kernel)
{
	pipeline_close(&kernel->pipeline);
	outbox_free(kernel->outbox);
	rules_free(kernel->rules);
	sink_clear(&kernel->kept);
}

void kernel_flush(struct kernel *kernel)
{
	pipeline_flush(&kernel->pipeline);
	assert_true(outbox_flush(kernel->outbox) >= 0);
}

struct probe_key kernel_key(uint32_t pid)
{
	return (struct probe_key){ .pid = pid, .start_ns = pid * (uint64_t)NS_PER_MS };
}

static uint64_t tick(struct kernel *kernel)
{
	return kernel->now_ns += NS_PER_MS;
}

void kernel_fork(struct kernel *kernel, uint32_t pid, uint32_t parent)
{
	const struct probe_fork fork = { .key = kernel_key(pid),
					 .parent = kernel_key(parent),
					 .at_ns = tick(kernel),
					 .image_seq = 1,
					 .uid = 0 };

	kernel->probe.on_fork(kernel->probe.context, &fork);
}

static void image(struct kernel *kernel, struct probe_image *image, const char *const *argv)
{
	image->at_ns = tick(kernel);
	image->exe = argv[0];
	image->cwd = "/data";
	image->cgroup_id = kernel->cgroup_id;
	image->argv = argv;
	while (argv[image->argc])
		image->argc++;
	kernel->probe.on_image(kernel->probe.context, image);
}

void kernel_image(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		  const char *const *argv)
{
	struct probe_image store = { .key = kernel_key(pid),
				     .parent = kernel_key(parent),
				     .image_seq = image_seq };

	image(kernel, &store, argv);
}

void kernel_found(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		  const char *const *argv)
{
	struct probe_image found = { .key = kernel_key(pid),
				     .parent = kernel_key(parent),
				     .image_seq = image_seq,
				     .found = true };

	image(kernel, &found, argv);
}

void kernel_exec(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		 const char *const *argv, uint64_t replaced_seq, uint64_t cpu_ns)
{
	struct probe_image store = { .key = kernel_key(pid),
				     .parent = kernel_key(parent),
				     .image_seq = image_seq,
				     .replaced = true,
				     .replaced_image_seq = replaced_seq,
				     .replaced_figures = { .user_ns = cpu_ns,
							   .read_chars_bytes = 700 } };

	image(kernel, &store, argv);
}

void kernel_exit(struct kernel *kernel, uint32_t pid, uint64_t image_seq, int code, int signal,
		 uint64_t cpu_ns)
{
	const struct probe_exit exit = { .key = kernel_key(pid),
					 .at_ns = tick(kernel),
					 .image_seq = image_seq,
					 .exit_code = code,
					 .signal = signal,
					 .figures = { .user_ns = cpu_ns,
						      .read_chars_bytes = 1000,
						      .rss_bytes = 4096,
						      .rss_peak_bytes = 8192,
						      .peak_exact = true } };

	kernel->probe.on_exit(kernel->probe.context, &exit);
}

void kernel_leave(struct kernel *kernel, uint32_t pid, uint64_t image_seq, uint64_t cpu_ns)
{
	const struct probe_exit left = { .key = kernel_key(pid),
					 .at_ns = tick(kernel),
					 .image_seq = image_seq,
					 .exec_excluded = true,
					 .figures = { .user_ns = cpu_ns } };

	kernel->probe.on_exit(kernel->probe.context, &left);
}
