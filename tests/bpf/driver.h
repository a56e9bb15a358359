#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the driver's files share. */
#define MIB (1UL << 20)

static inline void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "probe_driver: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static inline unsigned long number(const char *text)
{
	return text ? strtoul(text, NULL, 10) : 0;
}

/* driver_failure.c: scenarios, each as its comment there says. */
int files(char **arguments);
int folders(char **arguments);
/* driver_io.c */
int disk(char **arguments);
int calls(char **arguments);
int hang(char **arguments);
int tidy(char **arguments);
int spill(char **arguments);
int fault(char **arguments);
int try_exec(char **arguments);
int try_self(char **arguments);
int headless(char **arguments);
/* driver_memory.c */
int hold(char **arguments);
int swap(char **arguments);
/* driver_wait.c */
int wait_in(char **arguments);
