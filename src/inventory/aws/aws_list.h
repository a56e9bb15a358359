/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/error.h"

struct aws_session;

#define AWS_EC2_VERSION "2016-11-15"

/* Write the machines, or volumes, of a region to the listing; errors as of inventory_list. */
int aws_list_machines(struct aws_session *session, const char *region, struct error *err);
int aws_list_volumes(struct aws_session *session, const char *region, struct error *err);

/* Tags of EC2, an array of objects of key and value, as an object; the caller json_decref()s it.
 * NULL: no memory. */
json_t *aws_tags(const json_t *resource);
/* What keeps a machine, for people, by its tags: "Auto Scaling, group x"; "" : nothing does. */
void aws_group_of_tags(const json_t *tags, char *ret, size_t size);
/* The machines of a region that ECS and AWS Batch run tasks on: an object of texts by machine id,
 * which the caller json_decref()s. Where they refuse it is empty. */
json_t *aws_groups_of_services(struct aws_session *session, const char *region);
