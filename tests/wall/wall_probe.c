/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command under the probe and writes the wall time of each process image among its
 * descendants that ended, as the probe counted it:
 *
 *     wall_probe FILE COMMAND...
 *
 * FILE: a line of JSON for each image: pid, begin_ns, life_ns, wall_CLASS_ns. Tracking begins with
 * the name of COMMAND's program. Exits as the command did; 2 if the probe failed, 3 if records were
 * lost.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "probe/api/probe.h"

#define EXIT_FAILED   2
#define EXIT_LOST     3
#define EXIT_SIGNAL   128
#define IMAGES_MAX    4096 /* of live processes */
#define POLL_EVERY_NS 20000000
#define LAST_POLLS    25 /* for what comes after the command's end */

static const struct {
	const char *name;
	size_t offset;
} figures_written[] = {
#define FIGURE(name)                                        \
	{                                                   \
#name, offsetof(struct probe_figures, name) \
	}
	FIGURE(wall_computing_ns), FIGURE(wall_serial_ns),     FIGURE(wall_runnable_ns),
	FIGURE(wall_disk_ns),      FIGURE(wall_paging_ns),     FIGURE(wall_network_ns),
	FIGURE(wall_pipe_read_ns), FIGURE(wall_pipe_write_ns), FIGURE(wall_lock_ns),
	FIGURE(wall_child_ns),     FIGURE(wall_sleep_ns),      FIGURE(wall_poll_ns),
	FIGURE(wall_other_ns),
};

/* The images that have begun, one a process; pid 0: a free place. */
struct images {
	FILE *file;
	bool full;
	struct {
		uint32_t pid;
		uint64_t begin_ns;
	} live[IMAGES_MAX];
};

/* IMAGES_MAX: there is none. */
static size_t find(const struct images *images, uint32_t pid)
{
	size_t i = 0;

	while (i < IMAGES_MAX && images->live[i].pid != pid)
		i++;
	return i;
}

static void begin(struct images *images, uint32_t pid, uint64_t at_ns)
{
	size_t i = find(images, pid);

	if (i == IMAGES_MAX)
		i = find(images, 0);
	if (i == IMAGES_MAX) {
		images->full = true;
		return;
	}
	images->live[i].pid = pid;
	images->live[i].begin_ns = at_ns;
}

static void end(struct images *images, uint32_t pid, uint64_t at_ns,
		const struct probe_figures *figures)
{
	size_t i = find(images, pid);

	if (i == IMAGES_MAX)
		return;
	fprintf(images->file, "{\"pid\": %u, \"begin_ns\": %llu, \"life_ns\": %llu", pid,
		(unsigned long long)images->live[i].begin_ns,
		(unsigned long long)(at_ns - images->live[i].begin_ns));
	for (size_t j = 0; j < sizeof(figures_written) / sizeof(figures_written[0]); j++)
		fprintf(images->file, ", \"%s\": %llu", figures_written[j].name,
			*(const unsigned long long *)((const char *)figures +
						      figures_written[j].offset));
	fprintf(images->file, "}\n");
	images->live[i].pid = 0;
}

static void on_fork(void *context, const struct probe_fork *fork)
{
	begin(context, fork->key.pid, fork->at_ns);
}

static void on_image(void *context, const struct probe_image *image)
{
	if (image->replaced)
		end(context, image->key.pid, image->at_ns, &image->replaced_figures);
	begin(context, image->key.pid, image->at_ns);
}

static void on_exit_record(void *context, const struct probe_exit *exit)
{
	end(context, exit->key.pid, exit->at_ns, &exit->figures);
}

static int open_probe(struct probe **ret, const char *command, struct images *images)
{
	const char *const names[] = { text_basename(command) };
	const struct probe_handler handler = { .on_fork = on_fork,
					       .on_image = on_image,
					       .on_exit = on_exit_record,
					       .context = images };
	struct error err = { { 0 } };
	int error = probe_open(ret, &(struct probe_options){ .names = names, .name_count = 1 },
			       &handler, &err);

	if (error)
		fprintf(stderr, "wall_probe: %s\n", error_text(&err));
	return error;
}

static void poll_later(struct probe *probe)
{
	nanosleep(&(struct timespec){ .tv_nsec = POLL_EVERY_NS }, NULL);
	probe_poll(probe, 0);
}

/* Returns the command's status. */
static int run(struct probe *probe, char **command)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return EXIT_FAILED;
	if (!pid) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(EXIT_FAILED);
	}
	while (waitpid(pid, &status, WNOHANG) == 0)
		poll_later(probe);
	for (int i = 0; i < LAST_POLLS; i++)
		poll_later(probe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	static struct images images;
	struct probe_losses losses;
	struct probe *probe;
	int code;

	if (argc < 3) {
		fprintf(stderr, "usage: wall_probe FILE COMMAND...\n");
		return EXIT_FAILED;
	}
	images.file = fopen(argv[1], "we");
	if (!images.file || open_probe(&probe, argv[2], &images))
		return EXIT_FAILED;
	code = run(probe, argv + 2);
	if (probe_losses(probe, &losses) || losses.fork + losses.image + losses.exit ||
	    images.full) {
		fprintf(stderr, "wall_probe: records were lost\n");
		code = EXIT_LOST;
	}
	probe_close(probe, false);
	return fclose(images.file) ? EXIT_FAILED : code;
}
