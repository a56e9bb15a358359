/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "collect/runtime/container_facts.h"
#include "fixture_grpc.h"

/* What is read out of containerd's messages. Those of docker and the files: test_runtime.c. */

static void add_label(struct buffer *container, const char *key, const char *value)
{
	CLEANUP(buffer_clear) struct buffer label;

	buffer_init(&label, 0);
	text_field(&label, 1, key);
	text_field(&label, 2, value);
	field(container, 2, label.data, label.len);
}

static bool read_container(const struct buffer *container, struct container_facts *ret)
{
	CLEANUP(buffer_clear) struct buffer message;

	buffer_init(&message, 0);
	field(&message, 1, container->data, container->len);
	return container_facts_containerd(message.data, message.len, "x1", ret);
}

static void labels_come_before_the_id(void **state)
{
	CLEANUP(container_facts_clear) struct container_facts facts;
	CLEANUP(buffer_clear) struct buffer container;

	buffer_init(&container, 0);
	text_field(&container, 1, "x1");
	text_field(&container, 3, "quay.io/bwa:0.7");
	field(&container, 5, "\x0a\x01z", 3); /* its specification, which is not needed */
	assert_true(read_container(&container, &facts));
	assert_string_equal(facts.name, "x1");
	assert_string_equal(facts.image, "quay.io/bwa:0.7");
	assert_null(facts.pod_name);
	container_facts_clear(&facts);
	add_label(&container, "other", "7");
	add_label(&container, "nerdctl/name", "align");
	assert_true(read_container(&container, &facts));
	assert_string_equal(facts.name, "align");
}

static void a_pods_sandbox_has_no_name(void **state)
{
	CLEANUP(container_facts_clear) struct container_facts facts;
	CLEANUP(buffer_clear) struct buffer container;

	buffer_init(&container, 0);
	text_field(&container, 1, "x1");
	add_label(&container, "io.kubernetes.pod.name", "align-0");
	assert_true(read_container(&container, &facts));
	assert_null(facts.name);
	assert_string_equal(facts.pod_name, "align-0");
}

/* What the kubelet asked for is kept with the sandbox; a container says which that is. */
static void add_metadata(struct buffer *container, const char *json)
{
	CLEANUP(buffer_clear) struct buffer any, entry;

	buffer_init(&any, 0);
	text_field(&any, 1, "github.com/containerd/cri/pkg/store/sandbox/Metadata");
	text_field(&any, 2, json);
	buffer_init(&entry, 0);
	text_field(&entry, 1, "io.cri-containerd.sandbox.metadata");
	field(&entry, 2, any.data, any.len);
	field(container, 10, entry.data, entry.len);
}

static void a_sandbox_tells_of_which_workflow_its_pod_is_a_node(void **state)
{
	CLEANUP(container_facts_clear) struct container_facts facts;
	CLEANUP(buffer_clear) struct buffer container, other;

	buffer_init(&container, 0);
	text_field(&container, 1, "x1");
	add_label(&container, "io.kubernetes.pod.name", "rnaseq-x7kq2-align-1");
	add_label(&container, "workflows.argoproj.io/workflow", "rnaseq-x7kq2");
	add_metadata(&container,
		     "{\"Version\":\"v1\",\"Metadata\":{\"ID\":\"x1\",\"Config\":{"
		     "\"metadata\":{\"name\":\"rnaseq-x7kq2-align-1\"},\"annotations\":{"
		     "\"workflows.argoproj.io/node-name\":\"rnaseq-x7kq2.align\"}}}}");
	assert_true(read_container(&container, &facts));
	assert_string_equal(facts.workflow, "rnaseq-x7kq2");
	assert_string_equal(facts.node, "rnaseq-x7kq2.align");
	assert_null(facts.sandbox_id);
	container_facts_clear(&facts);
	buffer_init(&other, 0);
	text_field(&other, 1, "x1");
	add_metadata(&other,
		     "{\"Version\":\"v1\",\"Metadata\":{\"ID\":\"x1\",\"SandboxID\":\"s7\"}}");
	add_metadata(&other, "no JSON");
	assert_true(read_container(&other, &facts));
	assert_string_equal(facts.sandbox_id, "s7");
	assert_null(facts.workflow);
}

static void cri_o_keeps_them_in_its_annotations(void **state)
{
	static const char text[] =
		"{\"annotations\":{\"io.kubernetes.cri-o.SandboxID\":\"s7\","
		"\"io.kubernetes.pod.name\":\"rnaseq-x7kq2-align-1\","
		"\"io.kubernetes.cri-o.Labels\":"
		"\"{\\\"workflows.argoproj.io/workflow\\\":\\\"rnaseq-x7kq2\\\"}\","
		"\"io.kubernetes.cri-o.Annotations\":"
		"\"{\\\"workflows.argoproj.io/node-name\\\":\\\"rnaseq-x7kq2[0].align\\\"}\"}}";
	CLEANUP(container_facts_clear) struct container_facts facts;

	assert_true(container_facts_oci(text, strlen(text), &facts));
	assert_string_equal(facts.sandbox_id, "s7");
	assert_string_equal(facts.workflow, "rnaseq-x7kq2");
	assert_string_equal(facts.node, "rnaseq-x7kq2[0].align");
}

static void another_container_is_none(void **state)
{
	struct container_facts facts;
	CLEANUP(buffer_clear) struct buffer container;

	buffer_init(&container, 0);
	text_field(&container, 1, "x2");
	text_field(&container, 3, "quay.io/bwa:0.7");
	assert_false(read_container(&container, &facts));
	assert_null(facts.image);
	assert_false(container_facts_containerd("", 0, "x1", &facts));
}

static void texts_are_cut_and_half_characters_left_out(void **state)
{
	CLEANUP(container_facts_clear) struct container_facts facts;
	CLEANUP(buffer_clear) struct buffer container;
	char text[3 * CONTAINER_FACT_BYTES];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	buffer_init(&container, 0);
	text_field(&container, 1, "x1");
	text_field(&container, 3, text);
	add_label(&container, "nerdctl/name", "ab\xc3");
	assert_true(read_container(&container, &facts));
	assert_int_equal(strlen(facts.image), CONTAINER_FACT_BYTES);
	assert_string_equal(facts.name, "ab");
}

/* Whatever byte is wrong, whatever is missing: an answer or none, and no fault (ASan, UBSan). */
static void what_is_broken_is_no_fault(void **state)
{
	CLEANUP(buffer_clear) struct buffer container, message;
	struct container_facts facts;

	buffer_init(&container, 0);
	text_field(&container, 1, "x1");
	add_label(&container, "nerdctl/name", "align");
	text_field(&container, 3, "quay.io/bwa:0.7");
	buffer_init(&message, 0);
	field(&message, 1, container.data, container.len);
	for (size_t len = 0; len < message.len; len++)
		assert_false(container_facts_containerd(message.data, len, "x1", &facts));
	for (size_t at = 0; at < message.len; at++)
		for (int byte = 0; byte < 256; byte++) {
			char kept = message.data[at];

			message.data[at] = (char)byte;
			if (container_facts_containerd(message.data, message.len, "x1", &facts))
				container_facts_clear(&facts);
			message.data[at] = kept;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_come_before_the_id),
		cmocka_unit_test(a_pods_sandbox_has_no_name),
		cmocka_unit_test(a_sandbox_tells_of_which_workflow_its_pod_is_a_node),
		cmocka_unit_test(cri_o_keeps_them_in_its_annotations),
		cmocka_unit_test(another_container_is_none),
		cmocka_unit_test(texts_are_cut_and_half_characters_left_out),
		cmocka_unit_test(what_is_broken_is_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
