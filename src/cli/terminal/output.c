/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

static void (*before)(int) = SIG_DFL;

void output_setup(void)
{
	before = signal(SIGPIPE, SIG_IGN);
}

void output_restore(void)
{
	signal(SIGPIPE, before == SIG_IGN ? SIG_IGN : SIG_DFL);
}

/* errno of a write that failed earlier is gone: poll() reports whether the reader is. */
static bool reader_is_gone(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int output_finish(int status)
{
	bool failed;

	errno = 0;
	failed = fflush(stdout) != 0 || ferror(stdout);
	if (!failed)
		return status;
	if (errno == EPIPE || reader_is_gone()) {
		signal(SIGPIPE, SIG_DFL);
		(void)raise(SIGPIPE);
		return 128 + SIGPIPE; /* the signal is blocked */
	}
	fprintf(stderr, "tracer: cannot write the output: %s\n",
		errno ? strerror(errno) : "a part of it was refused");
	return EXIT_FAILED;
}
