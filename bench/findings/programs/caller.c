/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies lines, and dies of a fault of its own.
 *
 *     caller LINES FAULT       after so many lines, by: segv, abort, fpe, bus; none: it copies all
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int zero;

static void die(const char *fault)
{
	if (strcmp(fault, "abort") == 0)
		abort();
	if (strcmp(fault, "fpe") == 0)
		zero = 1 / zero;
	if (strcmp(fault, "bus") == 0) {
		FILE *file = tmpfile(); /* mapped, and empty */
		char *bytes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);

		zero = bytes[0];
	}
	*(volatile int *)(long)zero = 1;
}

int main(int argc, char **argv)
{
	static char line[1 << 16];
	long lines = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

	while (fgets(line, sizeof(line), stdin)) {
		if (argc > 2 && strcmp(argv[2], "none") != 0 && lines-- == 0)
			die(argv[2]);
		fputs(line, stdout);
	}
	return 0;
}
