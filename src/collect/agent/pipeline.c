/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/pipeline.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "collect/attribution/attributor.h"
#include "collect/attribution/root_image_store.h"
#include "collect/cgroup/cgroup.h"
#include "collect/container/container.h"
#include "collect/host/untracked.h"
#include "collect/host/users.h"
#include "collect/output/io.h"
#include "collect/output/record.h"
#include "collect/output/syscalls.h"
#include "collect/process/process_exec.h"
#include "collect/process/process_exit.h"
#include "collect/process/process_sample.h"
#include "collect/process/process_table.h"
#include "collect/process/scan.h"
#include "collect/process/tracker.h"

/* The listeners, in the order in which they are called: the last sample of a container goes ahead
 * of the end of its process; the probe is asked for sockets before the sample; and the records of
 * an end have the ids of its run, which attribution takes away last. */
static void listen(struct pipeline *pipeline)
{
	struct listeners *listeners = &pipeline->listeners;

	listeners_add(listeners, &stall_listener, &pipeline->stalls);
	listeners_add(listeners, &container_listener, pipeline->containers);
	listeners_add(listeners, &network_listener, &pipeline->network);
	listeners_add(listeners, &recorder_listener, pipeline->recorder);
	listeners_add(listeners, &untracked_listener, pipeline->untracked);
	listeners_add(listeners, &failure_listener, &pipeline->failures);
	listeners_add(listeners, &attributor_listener, pipeline->attributor);
}

/* The records of the kernel, and who takes each. */
static void on_fork(void *context, const struct probe_fork *fork)
{
	tracker_fork(((struct pipeline *)context)->tracker, fork);
}

static void on_image(void *context, const struct probe_image *image)
{
	process_exec_take(((struct pipeline *)context)->tracker, image);
}

static void on_exit(void *context, const struct probe_exit *exit)
{
	process_exit_take(((struct pipeline *)context)->tracker, exit);
}

static void on_residual(void *context, const struct probe_residual *residual)
{
	process_exit_residual(((struct pipeline *)context)->tracker, residual);
}

static void on_alive(void *context, const struct probe_alive *alive)
{
	process_sample_alive(((struct pipeline *)context)->tracker, alive);
}

static void on_kill(void *context, const struct probe_kill *kill)
{
	failure_kill(&((struct pipeline *)context)->failures, kill);
}

static void on_attempt(void *context, const struct probe_attempt *attempt)
{
	failure_attempt(&((struct pipeline *)context)->failures, attempt);
}

static void on_opens_failed(void *context, const struct probe_opens *failed)
{
	opens_failed(&((struct pipeline *)context)->opens, failed);
}

static void on_network(void *context, const struct probe_network *network)
{
	network_record(&((struct pipeline *)context)->network, network);
}

static void on_connect_failed(void *context, const struct probe_connect_failure *failure)
{
	connects_failed(&((struct pipeline *)context)->connects, failure);
}

static void on_file(void *context, const struct probe_file *file)
{
	files_used(&((struct pipeline *)context)->files, file);
}

static void on_io(void *context, const struct probe_io *io)
{
	struct pipeline *pipeline = context;

	io_record(pipeline->processes, pipeline->outbox, io);
}

static void on_syscall(void *context, const struct probe_syscall *call)
{
	struct pipeline *pipeline = context;

	syscalls_record(pipeline->processes, pipeline->outbox, call);
}

static void on_folder(void *context, const struct probe_folder *folder)
{
	attributor_take_folder(((struct pipeline *)context)->attributor, folder);
}

static void on_cgroup(void *context, const struct probe_cgroup *cgroup)
{
	struct pipeline *pipeline = context;

	container_take_cgroup(pipeline->containers, cgroup);
	attributor_take_cgroup(pipeline->attributor, cgroup);
}

static bool is_known(void *context, const struct probe_key *key)
{
	return attributor_is_known(((struct pipeline *)context)->attributor, key);
}

struct probe_handler pipeline_handler(struct pipeline *pipeline)
{
	return (struct probe_handler){ .on_fork = on_fork,
				       .on_image = on_image,
				       .on_exit = on_exit,
				       .on_residual = on_residual,
				       .on_alive = on_alive,
				       .on_kill = on_kill,
				       .on_attempt = on_attempt,
				       .on_opens_failed = on_opens_failed,
				       .on_network = on_network,
				       .on_connect_failed = on_connect_failed,
				       .on_file = on_file,
				       .on_io = on_io,
				       .on_syscall = on_syscall,
				       .on_folder = on_folder,
				       .on_cgroup = on_cgroup,
				       .is_known = is_known,
				       .context = pipeline };
}

/* The tables, which know nothing of each other. */
static int open_tables(struct pipeline *pipeline, const struct pipeline_options *options,
		       struct error *err)
{
	const char *identifiers = options->identifiers ? options->identifiers : "";
	int result = identifiers_parse(identifiers, &pipeline->identifiers, err);

	agent_clock_start(&pipeline->clock);
	pipeline->outbox = options->outbox;
	pipeline->images = images_new(PIPELINE_IMAGE_BYTES);
	pipeline->processes = process_table_new(options->process_limit, pipeline->images);
	pipeline->users = users_new("/etc/passwd");
	if (result == 0)
		result = cgroups_new(&pipeline->cgroups, err);
	if (result == 0)
		result = tree_new(&pipeline->tree, options->rules, options->host_id, PIPELINE_RUNS,
				  PIPELINE_TASKS);
	if (result == 0 && pipeline->images && pipeline->processes && pipeline->users)
		return 0;
	return result == 0 || result == -ENOMEM
		       ? error_set(err, -ENOMEM, "no memory for the process table")
		       : result;
}

static void open_values(struct pipeline *pipeline, const struct pipeline_options *options)
{
	pipeline->stalls = (struct stalls){ .processes = pipeline->processes,
					    .recorder = pipeline->recorder,
					    .clock = &pipeline->clock,
					    .after_s = options->stall_after_s };
	pipeline->failures = (struct failures){ .processes = pipeline->processes,
						.cgroups = pipeline->cgroups,
						.recorder = pipeline->recorder };
	pipeline->opens = (struct opens){ .processes = pipeline->processes,
					  .clock = &pipeline->clock,
					  .recorder = pipeline->recorder };
	pipeline->files = (struct files){ .processes = pipeline->processes,
					  .clock = &pipeline->clock,
					  .outbox = pipeline->outbox,
					  .name_tasks = options->task_files };
	pipeline->connects = (struct connects){ .processes = pipeline->processes,
						.clock = &pipeline->clock,
						.recorder = pipeline->recorder };
	pipeline->network =
		(struct network){ .processes = pipeline->processes, .outbox = pipeline->outbox };
}

static struct attributor *new_attributor(struct pipeline *pipeline,
					 const struct pipeline_options *options)
{
	const struct attributor_parts parts = { .clock = &pipeline->clock,
						.processes = pipeline->processes,
						.cgroups = pipeline->cgroups,
						.tree = pipeline->tree,
						.users = pipeline->users,
						.containers = pipeline->containers,
						.outbox = pipeline->outbox,
						.root_images = options->root_images,
						.boot_id = options->boot_id,
						.identifiers = &pipeline->identifiers,
						.task_files = options->task_files,
						.run_roots = options->run_roots,
						.jobs = options->jobs };

	return pipeline->containers ? attributor_new(&parts) : NULL;
}

static int open_listeners(struct pipeline *pipeline, const struct pipeline_options *options,
			  struct error *err)
{
	const struct container_parts containers = { .cgroups = pipeline->cgroups,
						    .processes = pipeline->processes,
						    .tree = pipeline->tree,
						    .outbox = pipeline->outbox,
						    .clock = &pipeline->clock,
						    .follow = options->follow };
	const struct untracked_parts untracked = { .processes = pipeline->processes,
						   .cgroups = pipeline->cgroups,
						   .outbox = pipeline->outbox,
						   .clock = &pipeline->clock };
	const struct tracker_parts tracker = { .tables = { .processes = pipeline->processes,
							   .cgroups = pipeline->cgroups,
							   .images = pipeline->images },
					       .clock = &pipeline->clock,
					       .listeners = &pipeline->listeners,
					       .process_limit = options->process_limit };

	pipeline->recorder = recorder_new(pipeline->outbox, &pipeline->clock, pipeline->processes,
					  pipeline->cgroups);
	pipeline->containers = containers_new(&containers);
	pipeline->attributor = new_attributor(pipeline, options);
	pipeline->untracked = untracked_new(&untracked);
	pipeline->tracker = tracker_new(&tracker);
	open_values(pipeline, options);
	if (pipeline->recorder && pipeline->attributor && pipeline->untracked && pipeline->tracker)
		return 0;
	return error_set(err, -ENOMEM, "no memory for what follows processes");
}

int pipeline_open(struct pipeline *ret, const struct pipeline_options *options, struct error *err)
{
	int result;

	*ret = (struct pipeline){ 0 };
	result = open_tables(ret, options, err);
	if (result == 0)
		result = open_listeners(ret, options, err);
	if (result < 0) {
		pipeline_close(ret);
		return result;
	}
	listen(ret);
	return 0;
}

void pipeline_close(struct pipeline *pipeline)
{
	tracker_free(pipeline->tracker);
	untracked_free(pipeline->untracked);
	attributor_free(pipeline->attributor);
	containers_free(pipeline->containers);
	recorder_free(pipeline->recorder);
	process_table_free(pipeline->processes);
	images_free(pipeline->images);
	tree_free(pipeline->tree);
	cgroups_free(pipeline->cgroups);
	users_free(pipeline->users);
	*pipeline = (struct pipeline){ 0 };
}

void pipeline_set_probe(struct pipeline *pipeline, struct probe *probe)
{
	tracker_set_probe(pipeline->tracker, probe);
	containers_parts(pipeline->containers)->probe = probe;
	attributor_parts(pipeline->attributor)->probe = probe;
	pipeline->network.probe = probe;
}

void pipeline_set_runtimes(struct pipeline *pipeline, struct runtimes *runtimes)
{
	containers_parts(pipeline->containers)->runtimes = runtimes;
}

void pipeline_take_facts(void *context, uint64_t cgroup_id, struct container_facts *facts)
{
	struct pipeline *pipeline = context;

	if (container_take_facts(pipeline->containers, cgroup_id, facts))
		process_exec_again(pipeline->tracker, cgroup_id);
}

int pipeline_scan(struct pipeline *pipeline, struct probe *probe, struct error *err)
{
	int found, result;

	attributor_set_scanning(pipeline->attributor, true);
	found = scan_run(pipeline->tracker, probe);
	if (found >= 0)
		root_image_store_settle(attributor_parts(pipeline->attributor)->root_images);
	process_exec_again(pipeline->tracker, 0);
	attributor_set_scanning(pipeline->attributor, false);
	malloc_trim(0);
	if (found < 0)
		return error_set(err, found, "cannot list what runs already: %s", strerror(-found));
	result = pipeline_tick(pipeline, probe, false);
	if (result < 0)
		return error_set(err, result, "cannot read what runs already: %s",
				 strerror(-result));
	return found;
}

int pipeline_tick(struct pipeline *pipeline, struct probe *probe, bool send)
{
	int result = process_sample_tick(pipeline->tracker, probe, send);

	if (result == 0)
		pipeline_drain(pipeline);
	return result;
}

void pipeline_drain(struct pipeline *pipeline)
{
	attributor_drain(pipeline->attributor);
}

void pipeline_flush(struct pipeline *pipeline)
{
	tracker_flush(pipeline->tracker);
	pipeline_drain(pipeline);
}

void pipeline_resend(struct pipeline *pipeline)
{
	container_resend(pipeline->containers);
	attributor_resend(pipeline->attributor);
	tracker_resend(pipeline->tracker);
}
