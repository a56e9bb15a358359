/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/container_facts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "containerd.pb-c.h"
#include "signal/redact/redact.h"

#define FACT_READ (4 * CONTAINER_FACT_BYTES)

/* Labels and annotations, by who writes them: kubelet (docker, CRI-O), containerd's CRI, nerdctl,
 * CRI-O; Argo's controller (as annotations docker has them with a prefix). */
static const struct key {
	const char *key;
	size_t field;
} keys[] = {
#define FIELD(name) offsetof(struct container_facts, name)
	{ "io.kubernetes.container.name", FIELD(name) },
	{ "io.kubernetes.cri.container-name", FIELD(name) },
	{ "nerdctl/name", FIELD(name) },
	{ "io.kubernetes.cri.image-name", FIELD(image) },
	{ "io.kubernetes.cri-o.ImageName", FIELD(image) },
	{ "io.kubernetes.pod.namespace", FIELD(namespace) },
	{ "io.kubernetes.cri.sandbox-namespace", FIELD(namespace) },
	{ "io.kubernetes.pod.name", FIELD(pod_name) },
	{ "io.kubernetes.cri.sandbox-name", FIELD(pod_name) },
	{ "io.kubernetes.cri.sandbox-id", FIELD(sandbox_id) },
	{ "io.kubernetes.cri-o.SandboxID", FIELD(sandbox_id) },
	{ "io.kubernetes.sandbox.id", FIELD(sandbox_id) },
	{ "workflows.argoproj.io/workflow", FIELD(workflow) },
	{ "workflows.argoproj.io/node-name", FIELD(node) },
	{ "annotation.workflows.argoproj.io/node-name", FIELD(node) },
#undef FIELD
};

/* Masked, and cut at a whole character. */
static void keep(char **field, const char *given)
{
	char text[FACT_READ];
	size_t len = 0, size = strlen(redact_copy(given ? given : "", text, sizeof(text)));

	while (len < size) {
		size_t more = utf8_sequence(text + len, size - len);

		if (!more || len + more > CONTAINER_FACT_BYTES)
			break;
		len += more;
	}
	if (*field || !len)
		return;
	*field = strndup(text, len);
}

static char **field_of(const struct key *key, struct container_facts *facts)
{
	return (char **)((char *)facts + key->field);
}

static void keep_keys(const json_t *object, struct container_facts *ret)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		keep(field_of(&keys[i], ret),
		     json_string_value(json_object_get(object, keys[i].key)));
}

bool container_facts_docker(const char *text, size_t len, struct container_facts *ret)
{
	CLEANUP(json_decrefp) json_t *answer = json_loadb(text, len, 0, NULL);
	const json_t *config = json_object_get(answer, "Config");
	const char *name = json_string_value(json_object_get(answer, "Name"));

	memset(ret, 0, sizeof(*ret));
	if (!json_is_object(config))
		return false;
	keep_keys(json_object_get(config, "Labels"), ret);
	keep(&ret->name, name && *name == '/' ? name + 1 : name);
	keep(&ret->image, json_string_value(json_object_get(config, "Image")));
	return true;
}

/* CRI-O keeps a pod's labels and annotations as JSON in annotations of its own. */
static void keep_nested(const json_t *annotations, const char *key, struct container_facts *ret)
{
	const char *text = json_string_value(json_object_get(annotations, key));
	CLEANUP(json_decrefp) json_t *object = text ? json_loads(text, 0, NULL) : NULL;

	keep_keys(object, ret);
}

bool container_facts_oci(const char *text, size_t len, struct container_facts *ret)
{
	CLEANUP(json_decrefp) json_t *config = json_loadb(text, len, 0, NULL);
	const json_t *annotations;

	memset(ret, 0, sizeof(*ret));
	annotations = json_object_get(config, "annotations");
	keep_keys(annotations, ret);
	keep_nested(annotations, "io.kubernetes.cri-o.Labels", ret);
	keep_nested(annotations, "io.kubernetes.cri-o.Annotations", ret);
	return ret->name || ret->image || ret->namespace || ret->pod_name;
}

static void keep_labels(const Containerd__Container *container, struct container_facts *ret)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		for (size_t k = 0; k < container->n_labels; k++)
			if (strcmp(container->labels[k]->key, keys[i].key) == 0)
				keep(field_of(&keys[i], ret), container->labels[k]->value);
}

/* What the CRI of containerd keeps with a container (in a pod: the id of the sandbox) and with a
 * sandbox (as the kubelet asked for it), as JSON. */
static void keep_metadata(const Containerd__Any *value, struct container_facts *ret)
{
	CLEANUP(json_decrefp)
	json_t *object =
		value ? json_loadb((const char *)value->value.data, value->value.len, 0, NULL)
		      : NULL;
	const json_t *metadata = json_object_get(object, "Metadata");
	const json_t *config = json_object_get(metadata, "Config");

	keep(&ret->sandbox_id, json_string_value(json_object_get(metadata, "SandboxID")));
	keep_keys(json_object_get(config, "labels"), ret);
	keep_keys(json_object_get(config, "annotations"), ret);
}

bool container_facts_containerd(const void *message, size_t len, const char *id,
				struct container_facts *ret)
{
	Containerd__GetContainerResponse *answer =
		containerd__get_container_response__unpack(NULL, len, message);
	const Containerd__Container *container = answer ? answer->container : NULL;
	bool known = container && strcmp(container->id, id) == 0;

	memset(ret, 0, sizeof(*ret));
	if (known) {
		keep_labels(container, ret);
		for (size_t i = 0; i < container->n_extensions; i++)
			keep_metadata(container->extensions[i]->value, ret);
		keep(&ret->image, container->image);
		/* A pod's sandbox has no name; a container of ctr has its id. */
		if (!ret->pod_name)
			keep(&ret->name, container->id);
	}
	if (answer)
		containerd__get_container_response__free_unpacked(answer, NULL);
	return known;
}

void container_facts_asked(const char *image, const char *name, struct container_facts *ret)
{
	*ret = (struct container_facts){ 0 };
	keep(&ret->image, image);
	keep(&ret->name, name);
}

void container_facts_clear(struct container_facts *facts)
{
	free(facts->name);
	free(facts->image);
	free(facts->namespace);
	free(facts->pod_name);
	free(facts->sandbox_id);
	free(facts->workflow);
	free(facts->node);
	memset(facts, 0, sizeof(*facts));
}
