/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "base/json.h"
#include "sweep/sweep_outcome.h"
#include "sweep/waste.h"

struct server;

/* What a sweep changes of the lake's table `wastes`, as its parameters (lake/duckdb/changes/). */
struct sweep_changes {
	struct buffer found, ended;
	struct json found_json, ended_json;
	size_t count;
};

void sweep_changes_begin(struct sweep_changes *changes);
/* What is new, or not as it was. */
void sweep_changes_found(struct sweep_changes *changes, const struct waste *waste, int64_t since_at,
			 int64_t found_at);
void sweep_changes_ended(struct sweep_changes *changes, const char *kind, const char *id,
			 int64_t ended_at, enum waste_outcome outcome);
/* Stores them, where there are any. Errors as of store_change; -ENOMEM. */
int sweep_changes_store(struct sweep_changes *changes, struct server *server, struct error *err);
void sweep_changes_clear(struct sweep_changes *changes);
