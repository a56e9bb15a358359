/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "collect/runtime/runtime.h"
#include "wait.h"

/* What an agent makes of a docker that answers as it should not, and of runtimes' files. That the
 * real one is understood, tests/e2e/containers.sh shows. */

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define GOOD                                                                                    \
	"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"Name\":\"/web\",\"Config\":{\"Image\":" \
	"\"busybox:1\",\"Labels\":{\"io.kubernetes.pod.namespace\":\"lab\"}}}"

#define ITS_ID "\1" /* an answer that names the container as it was asked for */

struct scene {
	char folder[64], socket[96];
	struct event_base *base;
	struct runtimes *runtimes;
	pid_t server;
	unsigned told;
	uint64_t told_id;
	struct container_facts facts;
	bool asks_pod; /* the receiver of a container asks for its pod */
	char all[128]; /* all answers: "1 a, " or, of a pod, "1 of pod, " */
};

static void on_told(void *context, uint64_t cgroup_id, struct container_facts *facts)
{
	struct scene *scene = context;

	scene->told++;
	scene->told_id = cgroup_id;
	(void)snprintf(scene->all + strlen(scene->all), sizeof(scene->all) - strlen(scene->all),
		       "%u %s%s, ", (unsigned)cgroup_id, facts->of_pod ? "of " : "",
		       facts->name ? facts->name : "-");
	if (scene->asks_pod && !facts->of_pod)
		runtimes_ask_pod(scene->runtimes, cgroup_id, "docker", "pod");
	container_facts_clear(&scene->facts);
	scene->facts = *facts;
	memset(facts, 0, sizeof(*facts));
	event_base_loopbreak(scene->base);
}

static void begin(struct scene *scene)
{
	struct runtime_options options = { .docker_socket = scene->socket, .root = scene->folder };
	struct error err = { 0 };

	memset(scene, 0, sizeof(*scene));
	strcpy(scene->folder, "/tmp/tracer-runtime-XXXXXX");
	assert_non_null(mkdtemp(scene->folder));
	(void)snprintf(scene->socket, sizeof(scene->socket), "%s/docker.sock", scene->folder);
	scene->base = event_base_new();
	assert_int_equal(
		runtimes_new(&scene->runtimes, scene->base, &options, on_told, scene, &err), 0);
}

static void end(struct scene *scene)
{
	if (scene->server) {
		kill(scene->server, SIGKILL);
		waitpid(scene->server, NULL, 0);
	}
	runtimes_free(scene->runtimes);
	event_base_loop(scene->base, EVLOOP_NONBLOCK);
	event_base_free(scene->base);
	container_facts_clear(&scene->facts);
	file_remove_tree(scene->folder);
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 8), 0);
	return fd;
}

/* "GET /containers/ID/json …": ID is its name. */
static void tell_id(int fd, const char *request)
{
	const char *id = strstr(request, "/containers/") + strlen("/containers/");

	dprintf(fd,
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"Name\":\"/%.*s\",\"Config\":{}}",
		(int)strcspn(id, "/"), id);
}

/* Each connection gets the next answer, the last one again and again; NULL: silence. */
static void serve(struct scene *scene, const char *const *answers)
{
	int listener = listen_at(scene->socket);

	scene->server = fork();
	if (scene->server) {
		close(listener);
		return;
	}
	for (size_t i = 0;; i += answers[i + 1] != (const char *)-1) {
		int fd = accept(listener, NULL, NULL);
		char request[4096] = "";

		if (read(fd, request, sizeof(request) - 1) <= 0)
			continue;
		if (!answers[i])
			pause();
		if (strcmp(answers[i], ITS_ID) == 0)
			tell_id(fd, request);
		else if (write(fd, answers[i], strlen(answers[i])) < 0)
			continue;
		close(fd);
	}
}
#define SERVE(scene, ...) serve(scene, (const char *const[]){ __VA_ARGS__, (const char *)-1 })

static void run_loop(struct scene *scene, long ms)
{
	const struct timeval limit = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	event_base_loopexit(scene->base, &limit);
	event_base_dispatch(scene->base);
}

static void wait_told(struct scene *scene)
{
	unsigned before = scene->told;

	WAIT_DOING(scene->told > before, run_loop(scene, 100), "the words of a container");
}

static void dockers_answer_is_told(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	SERVE(&scene, GOOD);
	runtimes_ask(scene.runtimes, 7, "docker", HEX);
	wait_told(&scene);
	assert_int_equal(scene.told_id, 7);
	assert_string_equal(scene.facts.name, "web");
	assert_string_equal(scene.facts.image, "busybox:1");
	assert_string_equal(scene.facts.namespace, "lab");
	assert_null(scene.facts.pod_name);
}

static void what_is_no_answer_is_passed_over(void **state)
{
	static char huge[RUNTIME_BYTES + 4096];
	static const char *const wrong[] = {
		"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n{\"message\":\"no\"}",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"Name\":",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[]",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"Name\":7,\"Config\":[]}",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
		huge,
	};

	memset(huge, '[', sizeof(huge) - 1);
	memcpy(huge, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 38);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		CLEANUP(end) struct scene scene;

		begin(&scene);
		SERVE(&scene, wrong[i], GOOD);
		runtimes_ask(scene.runtimes, 1, "docker", HEX);
		runtimes_ask(scene.runtimes, 2, "docker", HEX);
		wait_told(&scene);
		assert_int_equal(scene.told, 1);
		assert_int_equal(scene.told_id, 2);
	}
}

static void an_answer_that_leads_to_a_question_takes_no_others_place(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	scene.asks_pod = true;
	SERVE(&scene, ITS_ID);
	runtimes_ask(scene.runtimes, 1, "docker", "a");
	runtimes_ask(scene.runtimes, 2, "docker", "b");
	for (int i = 0; i < 4; i++)
		wait_told(&scene);
	assert_string_equal(scene.all, "1 a, 2 b, 1 of pod, 2 of pod, ");
}

static void who_breaks_off_is_asked_again(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	SERVE(&scene, "", "garbage\r\n\r\n", GOOD);
	runtimes_ask(scene.runtimes, 3, "docker", HEX);
	wait_told(&scene);
	assert_int_equal(scene.told_id, 3);
}

static void silence_ends_after_a_while_and_the_loop_goes_on(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	SERVE(&scene, NULL);
	runtimes_ask(scene.runtimes, 4, "docker", HEX);
	run_loop(&scene, 200);
	assert_int_equal(scene.told, 0);
	kill(scene.server, SIGKILL);
	waitpid(scene.server, NULL, 0);
	SERVE(&scene, GOOD);
	wait_told(&scene);
	assert_int_equal(scene.told_id, 4);
}

static void who_is_not_there_is_not_waited_for(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	for (uint64_t i = 0; i < 2 * RUNTIME_QUEUE; i++)
		runtimes_ask(scene.runtimes, i, "docker", HEX);
	assert_int_equal(event_base_get_num_events(scene.base, EVENT_BASE_COUNT_ADDED), 0);
	SERVE(&scene, GOOD);
	runtimes_ask(scene.runtimes, 9, "docker", HEX);
	wait_told(&scene);
	assert_int_equal(scene.told_id, 9);
}

static void a_full_queue_takes_no_more(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	SERVE(&scene, GOOD);
	for (uint64_t i = 1; i <= RUNTIME_QUEUE + 10; i++)
		runtimes_ask(scene.runtimes, i, "docker", HEX);
	while (scene.told < RUNTIME_QUEUE)
		wait_told(&scene);
	assert_int_equal(scene.told_id, RUNTIME_QUEUE);
	runtimes_ask(scene.runtimes, 7777, "docker", HEX); /* behind all that were taken */
	wait_told(&scene);
	assert_int_equal(scene.told_id, 7777);
}

static void ids_that_are_paths_and_runtimes_that_are_others_are_not_asked(void **state)
{
	static const char *const ids[] = {
		"", "..", "a/b", "../../etc/passwd", "a b", "a\nb", "%2e"
	};
	CLEANUP(end) struct scene scene;

	begin(&scene);
	SERVE(&scene, GOOD);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		runtimes_ask(scene.runtimes, 1, "docker", ids[i]);
	runtimes_ask(scene.runtimes, 1, "slurm", "42");
	runtimes_ask(scene.runtimes, 1, "podman", HEX);
	runtimes_ask(scene.runtimes, 2, "docker", HEX); /* behind whatever was taken */
	wait_told(&scene);
	assert_int_equal(scene.told, 1);
	assert_int_equal(scene.told_id, 2);
}

static void put_config(const struct scene *scene, const char *folder, const char *text)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s%s", scene->folder, folder);
	assert_int_equal(file_make_folder(path, 0700, NULL), 0);
	strcat(path, "/config.json");
	assert_int_equal(file_write(path, text, strlen(text), 0600, NULL), 0);
}

#define CONTAINERD "/run/containerd/io.containerd.runtime.v2.task"

static void containerds_and_crios_files_are_read(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	put_config(&scene, CONTAINERD "/moby/other", "{}");
	put_config(
		&scene, CONTAINERD "/k8s.io/" HEX,
		"{\"annotations\":{\"io.kubernetes.cri.container-name\":\"align\",\"io.kubernetes."
		"cri.image-name\":\"quay.io/bwa:0.7\",\"io.kubernetes.cri.sandbox-namespace\":"
		"\"lab\",\"io.kubernetes.cri.sandbox-name\":\"align-0\"}}");
	runtimes_ask(scene.runtimes, 5, "containerd", HEX);
	assert_int_equal(scene.told_id, 5);
	assert_string_equal(scene.facts.name, "align");
	assert_string_equal(scene.facts.image, "quay.io/bwa:0.7");
	assert_string_equal(scene.facts.namespace, "lab");
	assert_string_equal(scene.facts.pod_name, "align-0");
	put_config(&scene, "/run/containers/storage/overlay-containers/" HEX "/userdata",
		   "{\"annotations\":{\"io.kubernetes.container.name\":\"call\"}}");
	runtimes_ask(scene.runtimes, 6, "cri-o", HEX);
	assert_int_equal(scene.told_id, 6);
	assert_string_equal(scene.facts.name, "call");
	assert_null(scene.facts.image);
}

static void hostile_files_say_nothing_and_long_texts_are_cut(void **state)
{
	static char text[RUNTIME_BYTES + 4096];
	CLEANUP(end) struct scene scene;
	size_t len;

	begin(&scene);
	put_config(&scene, CONTAINERD "/k8s.io/" HEX, "{\"annotations\":{\"nerdctl/name\":7}}");
	runtimes_ask(scene.runtimes, 1, "containerd", HEX);
	put_config(&scene, CONTAINERD "/k8s.io/" HEX, "{\"annotations\":[[[[[[");
	runtimes_ask(scene.runtimes, 1, "containerd", HEX);
	memset(text, ' ', sizeof(text) - 1);
	memcpy(text, "{\"annotations\":{\"nerdctl/name\":\"x\"}}", 36);
	put_config(&scene, CONTAINERD "/k8s.io/" HEX, text);
	runtimes_ask(scene.runtimes, 1, "containerd", HEX);
	assert_int_equal(scene.told, 0);
	len = (size_t)snprintf(text, sizeof(text), "{\"annotations\":{\"nerdctl/name\":\"");
	for (int i = 0; i < 300; i++)
		len += (size_t)snprintf(text + len, 8, "ö");
	strcpy(text + len, "\"}}");
	put_config(&scene, CONTAINERD "/k8s.io/" HEX, text);
	runtimes_ask(scene.runtimes, 1, "containerd", HEX);
	assert_int_equal(strlen(scene.facts.name), CONTAINER_FACT_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dockers_answer_is_told),
		cmocka_unit_test(what_is_no_answer_is_passed_over),
		cmocka_unit_test(an_answer_that_leads_to_a_question_takes_no_others_place),
		cmocka_unit_test(who_breaks_off_is_asked_again),
		cmocka_unit_test(silence_ends_after_a_while_and_the_loop_goes_on),
		cmocka_unit_test(who_is_not_there_is_not_waited_for),
		cmocka_unit_test(a_full_queue_takes_no_more),
		cmocka_unit_test(ids_that_are_paths_and_runtimes_that_are_others_are_not_asked),
		cmocka_unit_test(containerds_and_crios_files_are_read),
		cmocka_unit_test(hostile_files_say_nothing_and_long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
