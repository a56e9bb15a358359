#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/command.h"
#include "correlate/tree.h"

/*
 * What a workflow engine looks like from outside: a table of operations each, listed in engines.c.
 * They judge command lines; the tree does the rest.
 */
struct run;
struct task;

enum role { /* of a process in its run; struct place's `role` */
	    ROLE_NONE,
	    ROLE_ENGINE, /* it runs the engine */
	    ROLE_FORK,   /* made by the engine, its first image still to come */
};

struct request { /* what a task asked for; 0: nothing */
	double cpus;
	uint64_t memory_bytes;
};

/* One image, seen through interpreters. */
struct sight {
	const struct tree_image *image;
	const struct command *command;
	char name[TOOL_NAME_SIZE]; /* the tool's */
};

struct engine {
	const char *name;
	const char *program; /* what its command line runs: a name that the rules track */
	/* Whether this command line of the program does work, rather than tell about it. */
	bool (*begins)(const struct sight *sight);
	/* Fills in what the run is called: pipeline, name, labels, request. */
	void (*describe)(struct run *run, const struct sight *sight);
	/* Whether the first image of a process that the engine made is a task, not the engine's own
	 * business. NULL: what the engine's process becomes is the run's one task. */
	bool (*is_task)(const struct run *run, const struct sight *sight);
	/* An image inside one of its tasks: it may name the task. May be NULL. */
	void (*name_task)(struct task *task, const struct sight *sight);
};

extern const struct engine engine_snakemake, engine_tracer_run;

/* The engine whose program a command runs, or NULL. */
const struct engine *engine_of(const struct command *command);
/* What `tracer run --cpus N --memory 8G` asks for. */
struct request engine_tracer_run_request(const struct sight *sight);
