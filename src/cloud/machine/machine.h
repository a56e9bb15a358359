/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Which machine of a cloud this host is. Pure. What a metadata service answers is hostile until it
 * has the form that the provider gives to such a value; only then it is taken.
 */
enum cloud_fact {
	CLOUD_INSTANCE_ID,   /* "i-0abc…", a number */
	CLOUD_INSTANCE_TYPE, /* "m6i.large", "n2-standard-4" */
	CLOUD_REGION,        /* "us-east-1", "us-central1" */
	CLOUD_ZONE,          /* "us-east-1a", "us-central1-a" */
	CLOUD_ACCOUNT_ID,    /* AWS: the account's number; GCP: the project's id */
	CLOUD_PURCHASE,      /* "on_demand", "spot" */
	CLOUD_FACTS
};

#define CLOUD_FACT_SIZE 64
#define CLOUD_TAGS_MAX  50   /* as of an AWS instance */
#define CLOUD_TAG_KEY   128  /* bytes */
#define CLOUD_TAG_VALUE 1024 /* bytes; 256 characters on AWS */

struct cloud_tag {
	char *key, *value; /* owned */
};

struct cloud_machine {
	const char *provider; /* static: "aws", "gcp"; "": no cloud's, or not known */
	char facts[CLOUD_FACTS][CLOUD_FACT_SIZE]; /* "": not known */
	struct cloud_tag tags[CLOUD_TAGS_MAX];
	size_t tag_count;
};

void cloud_machine_init(struct cloud_machine *machine, const char *provider);
void cloud_machine_clear(struct cloud_machine *machine); /* with provider "" */
/* false: it does not have the form of such a value with this provider; nothing is changed. */
bool cloud_machine_set(struct cloud_machine *machine, enum cloud_fact fact, const char *text);
/* Whether text may be a tag's key that is asked for: letters, digits and "+-=.,_:@", as AWS allows
 * in instance metadata. */
bool cloud_tag_key_fits(const char *key);
/* false: too many or too long, no such key, or no plain text; or no memory. */
bool cloud_machine_add_tag(struct cloud_machine *machine, const char *key, const char *value);
/* Whether the zone, if known, is in the region. */
bool cloud_machine_agrees(const struct cloud_machine *machine);
bool cloud_machine_is_spot(const struct cloud_machine *machine);
