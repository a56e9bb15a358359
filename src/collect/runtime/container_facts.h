/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What a runtime says of a container, read from its JSON or protobuf: pure. */
struct container_facts {
	char *name, *image, *namespace, *pod_name; /* owned; NULL: it does not say */
	char *sandbox_id;      /* the container that stands for its pod, with the pod's labels */
	char *workflow, *node; /* of Argo's, that the pod is (of a sandbox) */
	bool of_pod;           /* the answer to a question for a sandbox */
};

#define CONTAINER_FACT_BYTES 256 /* of a text; a longer one is cut */

/* From docker's answer to GET /containers/ID/json. false: it is none; *ret is empty then. */
bool container_facts_docker(const char *text, size_t len, struct container_facts *ret);
/* From a container's config.json (OCI runtime specification), with the annotations that containerd,
 * nerdctl and CRI-O write. false: it is none, or has none of them. */
bool container_facts_oci(const char *text, size_t len, struct container_facts *ret);
/* From containerd's answer to Containers.Get of this id. false: it is none; *ret is empty then. */
bool container_facts_containerd(const void *message, size_t len, const char *id,
				struct container_facts *ret);
/* What a client asked for (name NULL: for no name). Without memory image is NULL. */
void container_facts_asked(const char *image, const char *name, struct container_facts *ret);
void container_facts_clear(struct container_facts *facts);
