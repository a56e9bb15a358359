/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "tune/size/size.h"

/*
 * The sizes of the steps of a run as settings of an engine, ready to paste. Each engine is a file
 * emit_NAME.c and a line of the table in emit.c. Pure.
 */
struct emit_run {
	const struct step_size *const *steps;
	size_t count;
	size_t runs; /* that the sizes rest on */
};

struct emit_engine {
	const char *name;
	void (*write)(const struct emit_run *run, struct buffer *out);
};

extern const struct emit_engine *const emit_engines[];
extern const size_t emit_engine_count;

/* NULL: there is none of that name. */
const struct emit_engine *emit_engine_find(const char *name);
