/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Figures of samples as the recorded runs have them: the same ones are zero (three of four). A
 * process has one of them; each of its samples varies them by up to 30 % in either direction, and
 * levels (memory, threads) every eighth sample.
 */
#define FIGURES_MAX   64  /* of one sample */
#define FIGURES_BYTES 640 /* of one, packed */

struct figure {
	uint8_t tag;
	bool is_level;
	uint64_t value;
};

struct figures {
	size_t count;
	struct figure items[FIGURES_MAX]; /* that are not zero */
};

struct figures_set {
	struct figures *all; /* owned */
	size_t count;
};

/* -ENOENT: the folder has no recorded run with samples; other errors as of recordings_open. */
int figures_open(struct figures_set *ret, const char *folder, struct error *err);
void figures_close(struct figures_set *set);

const struct figures *figures_of(const struct figures_set *set, uint64_t process);
/* Packs those of the n-th sample of a process. Returns the length. */
size_t figures_pack(const struct figures *figures, uint64_t process, uint64_t n,
		    uint8_t bytes[FIGURES_BYTES]);
