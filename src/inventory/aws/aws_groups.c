/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "inventory/aws/aws_list.h"
#include "inventory/aws/aws_session.h"

/*
 * ECS says which machines its clusters have, and AWS Batch which cluster each of its compute
 * environments has. Both are JSON APIs; their lists have pages, too.
 */
#define CLUSTERS_MAX   100 /* of a region */
#define MACHINES_MAX   5000
#define MACHINES_A_ASK 100 /* as ECS allows */

struct groups {
	struct aws_session *session;
	const char *region;
	json_t *environments; /* of Batch: names by cluster ARN */
	json_t *found;
};

static int ask(const struct groups *groups, const struct aws_call *of, const json_t *body,
	       json_t **ret, struct error *err)
{
	CLEANUP(freep) char *text = json_dumps(body, JSON_COMPACT);
	struct aws_call call = *of;

	call.region = groups->region;
	call.body = text;
	return text ? aws_ask(groups->session, &call, ret, err)
		    : error_set(err, -1, "out of memory");
}

static int ask_ecs(const struct groups *groups, const char *action, const json_t *body,
		   json_t **ret, struct error *err)
{
	char target[96];
	const struct aws_call call = {
		.service = "ecs", .action = action, .target = target, .path = "/"
	};

	snprintf(target, sizeof(target), "AmazonEC2ContainerServiceV20141113.%s", action);
	return ask(groups, &call, body, ret, err);
}

/* Appends the array `list` of all pages of an answer of ECS to `all`. */
static int ask_ecs_all(const struct groups *groups, const char *action, const char *list,
		       json_t *body, size_t max, json_t *all, struct error *err)
{
	for (;;) {
		CLEANUP(json_decrefp) json_t *page = NULL;
		int rc = ask_ecs(groups, action, body, &page, err);

		if (rc)
			return rc;
		if (json_is_array(json_object_get(page, list)))
			json_array_extend(all, json_object_get(page, list));
		if (!*listing_text(page, "nextToken") || json_array_size(all) >= max)
			return 0;
		json_object_set(body, "nextToken", json_object_get(page, "nextToken"));
	}
}

static void find_environments(struct groups *groups)
{
	static const struct aws_call call = { .service = "batch",
					      .action = "DescribeComputeEnvironments",
					      .path = "/v1/describecomputeenvironments" };
	CLEANUP(json_decrefp) json_t *body = json_object();
	struct error words = { "" };

	for (unsigned pages = 0; pages < CLUSTERS_MAX; pages++) {
		CLEANUP(json_decrefp) json_t *page = NULL;
		int rc = ask(groups, &call, body, &page, &words);
		json_t *environment;
		size_t i;

		if (rc)
			log_debug("no names of AWS Batch: %s", error_text(&words));
		json_array_foreach(json_object_get(page, "computeEnvironments"), i,
				   environment) if (*listing_text(environment, "ecsClusterArn"))
			json_object_set(groups->environments,
					listing_text(environment, "ecsClusterArn"),
					json_object_get(environment, "computeEnvironmentName"));
		if (rc || !*listing_text(page, "nextToken"))
			return;
		json_object_set(body, "nextToken", json_object_get(page, "nextToken"));
	}
}

static void name_group(const struct groups *groups, const char *cluster, char *ret, size_t size)
{
	const char *environment = listing_text(groups->environments, cluster);
	const char *slash = strrchr(cluster, '/');

	if (*environment)
		snprintf(ret, size, "AWS Batch, compute environment %s", environment);
	else
		snprintf(ret, size, "ECS, cluster %s", slash ? slash + 1 : cluster);
}

static int take_machines(const struct groups *groups, const char *cluster, json_t *arns,
			 struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *body = json_pack("{s:s, s:O}", "cluster", cluster, "containerInstances", arns);
	CLEANUP(json_decrefp) json_t *page = NULL;
	int rc = ask_ecs(groups, "DescribeContainerInstances", body, &page, err);
	char group[512];
	json_t *machine;
	size_t i;

	name_group(groups, cluster, group, sizeof(group));
	json_array_foreach(json_object_get(page, "containerInstances"), i,
			   machine) if (*listing_text(machine, "ec2InstanceId"))
		json_object_set_new(groups->found, listing_text(machine, "ec2InstanceId"),
				    json_string(group));
	return rc;
}

static int take_cluster(const struct groups *groups, const char *cluster, struct error *err)
{
	CLEANUP(json_decrefp) json_t *body = json_pack("{s:s}", "cluster", cluster);
	CLEANUP(json_decrefp) json_t *all = json_array();
	int rc = ask_ecs_all(groups, "ListContainerInstances", "containerInstanceArns", body,
			     MACHINES_MAX, all, err);

	for (size_t from = 0; rc == 0 && from < json_array_size(all); from += MACHINES_A_ASK) {
		CLEANUP(json_decrefp) json_t *some = json_array();

		for (size_t i = from; i < json_array_size(all) && i < from + MACHINES_A_ASK; i++)
			json_array_append(some, json_array_get(all, i));
		rc = take_machines(groups, cluster, some, err);
	}
	return rc;
}

json_t *aws_groups_of_services(struct aws_session *session, const char *region)
{
	CLEANUP(json_decrefp) json_t *clusters = json_array();
	CLEANUP(json_decrefp) json_t *environments = json_object();
	CLEANUP(json_decrefp) json_t *body = json_object();
	struct groups groups = { session, region, environments, json_object() };
	struct error words = { "" };
	json_t *cluster;
	size_t i;
	int rc = ask_ecs_all(&groups, "ListClusters", "clusterArns", body, CLUSTERS_MAX, clusters,
			     &words);

	if (rc == 0 && json_array_size(clusters) > 0)
		find_environments(&groups);
	json_array_foreach(clusters, i, cluster) if (rc == 0 && json_is_string(cluster)) rc =
		take_cluster(&groups, json_string_value(cluster), &words);
	if (rc)
		log_debug("no names of ECS: %s", error_text(&words));
	return groups.found;
}
