/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "cloud/machine/machine.h"
#include "cloud/metadata/metadata_notice.h"

/*
 * How a provider's metadata service is asked: paths, and what is taken of each answer. Pure. Only
 * what is named here is asked for: never user data, start-up scripts, keys or credentials.
 */
struct metadata_step {
	const char *path;
	bool needed; /* without it nothing is known of the machine */
	/* Takes an answer of status 200, without the white space at its end. false: it does not
	 * have the form that it must have. */
	bool (*take)(struct cloud_machine *machine, const char *text);
};

struct metadata_watch {
	const char *path;
	/* false: the answer is no notice. */
	bool (*take)(const char *text, struct metadata_notice *ret);
};

struct metadata_source {
	const char *provider;
	const char *url;           /* without a name to look up */
	const char *header;        /* of each request; NULL: none */
	const char *answer_header; /* of each answer; NULL: none */
	/* A token that is asked for first (PUT) and sent with each request; NULL: none. */
	const char *token_path, *token_request_header, *token_header;
	const struct metadata_step *steps;
	size_t step_count;
	const char *tags_path; /* a key a line, and each value below it; NULL: none */
	const struct metadata_watch *watches; /* of spot instances */
	size_t watch_count;
};

extern const struct metadata_source metadata_aws, metadata_gcp;

/* NULL: there is none of this provider. */
const struct metadata_source *metadata_source(const char *provider);
