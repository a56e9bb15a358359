/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command and records when its threads and those of its descendants were on a CPU, and why
 * not:
 *
 *     recorder -o FILE -- COMMAND...
 *
 * FILE is an array of struct event. Exits as the command did; 3 if events were lost, 2 if the
 * recorder itself failed. It ends once all descendants have ended.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"
#include "recorder.skel.h"

#define EXIT_FAILED   2
#define EXIT_LOST     3
#define EXIT_SIGNAL   128
#define LOOK_EVERY_NS 20000000

static int write_event(void *file, void *event, size_t len)
{
	return fwrite(event, len, 1, file) == 1 ? 0 : -EIO;
}

/* The command starts when the parent closes its end of the pipe. -1: failed. */
static pid_t start(char **command, int *go)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe(ends) < 0)
		return -1;
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) < 0)
			_exit(EXIT_FAILED);
		close(ends[0]);
		execvp(command[0], command);
		perror(command[0]);
		_exit(EXIT_FAILED);
	}
	close(ends[0]);
	*go = ends[1];
	return pid;
}

/* Whether a descendant is still alive. */
static bool reap(pid_t root, int *code)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == root)
			*code = WIFEXITED(status) ? WEXITSTATUS(status)
						  : EXIT_SIGNAL + WTERMSIG(status);
	return pid == 0;
}

/* Returns the exit status. */
static int record(struct recorder_bpf *kernel, FILE *file, char **command)
{
	struct ring_buffer *ring =
		ring_buffer__new(bpf_map__fd(kernel->maps.ring), write_event, file, NULL);
	int go, code = EXIT_FAILED, error = ring ? 0 : -errno;
	pid_t pid = start(command, &go);
	bool alive = true;
	__u8 yes = 1;

	if (error || pid < 0 ||
	    bpf_map__update_elem(kernel->maps.tree, &pid, sizeof(pid), &yes, sizeof(yes), 0))
		return EXIT_FAILED;
	close(go);
	while (alive && error >= 0) {
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_EVERY_NS }, NULL);
		alive = reap(pid, &code);
		error = ring_buffer__consume(ring);
	}
	ring_buffer__free(ring);
	if (error < 0 || kernel->bss->lost) {
		fprintf(stderr, "recorder: %s, %llu events lost\n",
			error < 0 ? strerror(-error) : "the ring is too small",
			(unsigned long long)kernel->bss->lost);
		return EXIT_LOST;
	}
	return code;
}

int main(int argc, char **argv)
{
	struct recorder_bpf *kernel;
	FILE *file;
	int code;

	if (argc < 5 || strcmp(argv[1], "-o") != 0 || strcmp(argv[3], "--") != 0) {
		fprintf(stderr, "usage: recorder -o FILE -- COMMAND...\n");
		return EXIT_FAILED;
	}
	file = fopen(argv[2], "we");
	kernel = recorder_bpf__open_and_load();
	if (!file || !kernel || recorder_bpf__attach(kernel) || prctl(PR_SET_CHILD_SUBREAPER, 1)) {
		fprintf(stderr, "recorder: cannot begin: %s\n", strerror(errno));
		return EXIT_FAILED;
	}
	code = record(kernel, file, argv + 4);
	recorder_bpf__destroy(kernel);
	if (fclose(file)) {
		fprintf(stderr, "recorder: %s: %s\n", argv[2], strerror(errno));
		return EXIT_FAILED;
	}
	return code;
}
