/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "inventory/aws/aws_list.h"
#include "inventory/listing.h"

json_t *aws_tags(const json_t *resource)
{
	const json_t *set = json_object_get(resource, "tagSet");
	json_t *tags = json_object(), *tag;
	size_t i;

	json_array_foreach(set, i, tag) if (*listing_text(tag, "key")) json_object_set_new(
		tags, listing_text(tag, "key"), json_string(listing_text(tag, "value")));
	return tags;
}

/* Tags that AWS's services and usual tools set; the more specific ones first. `of` is another tag,
 * which is named beside. */
static const struct {
	const char *tag, *words, *of, *of_words;
} GROUPS[] = {
	{ "aws:batch:compute-environment", "AWS Batch, compute environment %s", NULL, NULL },
	{ "eks:nodegroup-name", "EKS, node group %s", "eks:cluster-name", " of cluster %s" },
	{ "karpenter.sh/nodepool", "Karpenter, node pool %s", "eks:eks-cluster-name",
	  " of cluster %s" },
	{ "parallelcluster:cluster-name", "ParallelCluster, cluster %s",
	  "parallelcluster:queue-name", ", queue %s" },
	{ "aws:elasticmapreduce:job-flow-id", "EMR, cluster %s", NULL, NULL },
	{ "aws:ecs:clusterName", "ECS, cluster %s", NULL, NULL },
	{ "aws:autoscaling:groupName", "Auto Scaling, group %s", NULL, NULL },
	{ "aws:ec2spot:fleet-request-id", "Spot Fleet, request %s", NULL, NULL },
	{ "aws:ec2:fleet-id", "EC2 Fleet, %s", NULL, NULL },
	{ "aws:cloudformation:stack-name", "CloudFormation, stack %s", NULL, NULL },
};

/* Writes words with the value of a tag in place of %s. */
static size_t put(const char *words, const char *value, char *ret, size_t size)
{
	const char *place = strstr(words, "%s");

	return (size_t)snprintf(ret, size, "%.*s%s%s", (int)(place - words), words, value,
				place + 2);
}

void aws_group_of_tags(const json_t *tags, char *ret, size_t size)
{
	*ret = '\0';
	for (size_t i = 0; i < sizeof(GROUPS) / sizeof(GROUPS[0]); i++) {
		const char *value = listing_text(tags, GROUPS[i].tag), *of;
		size_t len;

		if (!*value)
			continue;
		len = put(GROUPS[i].words, value, ret, size);
		of = GROUPS[i].of ? listing_text(tags, GROUPS[i].of) : "";
		if (*of && len < size)
			put(GROUPS[i].of_words, of, ret + len, size - len);
		return;
	}
}
