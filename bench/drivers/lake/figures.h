/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Figures of samples, packed, as the recorded runs have them: the same ones are zero (three of
 * four), and the others vary by up to 30 % in either direction.
 */
#define FIGURES_COUNT 4096
#define FIGURES_BYTES 512 /* of one, at most */

struct figures {
	uint16_t len;
	uint8_t bytes[FIGURES_BYTES];
};

/* FIGURES_COUNT of them; the caller frees them. */
int figures_open(struct figures **ret, const char *folder, struct error *err);
