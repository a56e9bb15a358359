/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/admin/job.h"
#include "server/settings.h"

/* How a command reaches the lake that runs on this host: by its socket, or its URL, with the token
 * `admin` of the tokens folder, unless these say otherwise (NULL or ""). Where no URL is given, a
 * lake with another data folder than that of the settings counts as none. */
struct job_access {
	const struct settings *settings;
	const char *url, *token_file, *ca_file;
};

/* Runs a job in the lake, and shows on stderr how far it is, where that is a terminal. -ENOTCONN:
 * no lake runs; -EACCES, -EBUSY … with words. */
int job_ask(const struct job_access *access, const struct job *job, struct job_result *ret,
	    struct error *err);
/* Whether a lake has the files of the data folder open, or answers at the address. */
_Bool job_lake_runs(const struct job_access *access);
