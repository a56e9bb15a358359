/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>

#include "cli/terminal/print.h"

int command_failed(const char *command, const struct error *err)
{
	fprintf(stderr, "tracer %s: ", command);
	print_text(stderr, error_text(err));
	fputc('\n', stderr);
	return EXIT_FAILED;
}

int command_usage(const char *command, const char *message)
{
	fprintf(stderr, "tracer %s: %s. See: tracer %s --help\n", command, message, command);
	return EXIT_USAGE;
}

const char *command_argument_run(const char *command, int argc, char **argv)
{
	if (argc == 0)
		return "latest";
	if (argc == 1 && argv[0][0])
		return argv[0];
	command_usage(command, argc > 1 ? "too many arguments" : "RUN is empty");
	return NULL;
}
