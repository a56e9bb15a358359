/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signal/finding.h"

/*
 * Something that costs money at this instant and does no work, or that did work which was done
 * before. Texts are owned by the waste (freed by wastes_clear); instants are ns since 1970, money
 * is whole nano-dollars.
 */
enum waste_subject {
	WASTE_HOST,
	WASTE_GPU,
	WASTE_TASK,
	WASTE_RUN,
	WASTE_STEP,
	WASTE_FOLDER,
	WASTE_MACHINE, /* of the provider's inventory: no agent runs there */
	WASTE_VOLUME,
};

struct waste {
	const char *kind; /* static: "host_idle"; set by waste_add */
	enum waste_subject subject;
	char *id;      /* with kind, what it is about, and what it is found again by: a host's id, a
			  task's … */
	char *name;    /* for people: "node-7", "ALIGN (sample_3)" */
	char *host_id; /* that it keeps busy, or that is paid for because of it; NULL: none */
	char *run_id, *task_id; /* NULL: none */
	char *who;              /* users, separated by ", "; NULL: unknown */
	int64_t since_at;
	int64_t nusd_hour;   /* what an hour of it costs; < 0: unknown */
	int64_t wasted_nusd; /* since since_at; < 0: unknown */
	/* What is wasted, of nusd_hour times the time since since_at: less than 1 where a host was
	 * not up all the time, more where nusd_hour is a mean of a longer time. 1 where unknown. */
	double paid_share;
	enum finding_confidence confidence;
	char *summary;  /* one paragraph, with the figures */
	char *evidence; /* a JSON object: figures with units in their names */
	char *advice;   /* a sentence */
	char *command;  /* what would end it, ready to paste; never run by Tracer; NULL: none */
	/* Of nusd_hour, what counts in sums: the rest is claimed by a more specific waste of the
	 * same host, or of its GPU or task (sweep_claim). 0 where the price is unknown. */
	int64_t claimed_nusd;
	bool use_unknown; /* it may do work that is not seen: what it costs counts in no sum */
	/* Indexes in sweep_input.hosts: of several hosts, where host_id is not enough; owned. */
	size_t *hosts;
	size_t host_count;
};

struct wastes {
	struct waste *items;
	size_t count, capacity;
};

#define WASTES_MAX 100000

/* Takes the texts, also on failure. -ENOMEM; -ENOSPC beyond WASTES_MAX. */
int wastes_add(struct wastes *wastes, struct waste waste);
/* Frees those for which is_kept is false; the others keep their order. */
void wastes_filter(struct wastes *wastes, bool (*is_kept)(const struct waste *waste, void *context),
		   void *context);
void wastes_clear(struct wastes *wastes);
/* What an hour of time at this price costs, rounded; < 0 where the price is unknown. */
int64_t waste_nusd(int64_t nusd_hour, int64_t since_at, int64_t until_at);
const char *waste_subject_name(enum waste_subject subject); /* "host", "gpu", "task" … */
/* By its name; another one is WASTE_HOST. */
enum waste_subject waste_subject_find(const char *name);
/* Whether it is about the host of this id, which has this index in sweep_input.hosts. */
bool waste_has_host(const struct waste *waste, const char *host_id, size_t index);
/* What it counts for in sums; < 0: its price is unknown. */
int64_t waste_counted_nusd(const struct waste *waste);
