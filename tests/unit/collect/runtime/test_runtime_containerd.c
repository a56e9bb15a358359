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
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "collect/runtime/runtime.h"
#include "fixture_grpc.h"
#include "wait.h"

/* What an agent makes of a containerd that answers as it should not. The real one:
 * tests/e2e/containerd.sh. */

#define ID        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define CALLS_MAX 160

struct scene {
	char folder[64], socket[96];
	struct event_base *base;
	struct runtimes *runtimes;
	struct buffer calls[CALLS_MAX]; /* what each call is answered, the last again and again */
	size_t count;
	pid_t server;
	unsigned told;
	struct container_facts facts;
};

static void on_told(void *context, uint64_t cgroup_id, struct container_facts *facts)
{
	struct scene *scene = context;

	scene->told++;
	container_facts_clear(&scene->facts);
	scene->facts = *facts;
	memset(facts, 0, sizeof(*facts));
	event_base_loopbreak(scene->base);
}

static void begin(struct scene *scene)
{
	struct runtime_options options = { .containerd_socket = scene->socket,
					   .root = scene->folder };
	struct error err = { 0 };

	memset(scene, 0, sizeof(*scene));
	memcpy(scene->folder, "/tmp/tracer-runtime-XXXXXX", 27);
	assert_non_null(mkdtemp(scene->folder));
	(void)snprintf(scene->socket, sizeof(scene->socket), "%s/c.sock", scene->folder);
	signal(SIGPIPE, SIG_IGN);
	scene->base = event_base_new();
	assert_int_equal(
		runtimes_new(&scene->runtimes, scene->base, &options, on_told, scene, &err), 0);
}

static void stop_server(struct scene *scene)
{
	if (scene->server) {
		kill(scene->server, SIGKILL);
		waitpid(scene->server, NULL, 0);
	}
	scene->server = 0;
	for (size_t i = 0; i < scene->count; i++)
		buffer_clear(&scene->calls[i]);
	scene->count = 0;
}

static void end(struct scene *scene)
{
	stop_server(scene);
	runtimes_free(scene->runtimes);
	event_base_loop(scene->base, EVLOOP_NONBLOCK);
	event_base_free(scene->base);
	container_facts_clear(&scene->facts);
	file_remove_tree(scene->folder);
}

static struct buffer *next_call(struct scene *scene)
{
	assert_true(scene->count < CALLS_MAX);
	buffer_init(&scene->calls[scene->count], 0);
	return &scene->calls[scene->count++];
}

static void add_text(struct scene *scene, const char *text)
{
	buffer_append_text(next_call(scene), text);
}

static void add_message(struct scene *scene, const struct buffer *message)
{
	answer(next_call(scene), message->data, message->len);
}

static void add_namespaces(struct scene *scene, const char *const *names)
{
	CLEANUP(buffer_clear) struct buffer list;

	buffer_init(&list, 0);
	for (; *names; names++) {
		CLEANUP(buffer_clear) struct buffer one;

		buffer_init(&one, 0);
		text_field(&one, 1, *names);
		field(&list, 1, one.data, one.len);
	}
	add_message(scene, &list);
}
#define NAMESPACES(scene, ...) add_namespaces(scene, (const char *const[]){ __VA_ARGS__, NULL })

static void add_container(struct scene *scene, const char *id, const char *image)
{
	CLEANUP(buffer_clear) struct buffer container, message;

	buffer_init(&container, 0);
	text_field(&container, 1, id);
	text_field(&container, 3, image);
	buffer_init(&message, 0);
	field(&message, 1, container.data, container.len);
	add_message(scene, &message);
}

static void add_refusal(struct scene *scene, const char *status)
{
	struct buffer *call = next_call(scene);

	frame(call, SETTINGS, 0, 0, NULL, 0);
	headers(call, END_STREAM, STATUS_200, status);
}

/* Answers a call where it is asked, and waits for its end. Nothing to answer: silence. */
static void answer_call(int fd, const struct buffer *call)
{
	char bytes[4096];

	if (read(fd, bytes, sizeof(bytes)) <= 0)
		return;
	if (!call->len)
		pause();
	if (write(fd, call->data, call->len) < 0)
		return;
	shutdown(fd, SHUT_WR);
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static void serve(struct scene *scene)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", scene->socket);
	unlink(scene->socket);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 8), 0);
	scene->server = fork();
	if (scene->server == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; scene->server == 0; i += i + 1 < scene->count) {
		int fd = accept(listener, NULL, NULL);

		answer_call(fd, &scene->calls[i]);
		close(fd);
	}
	close(listener);
}

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

static void only_namespaces_that_can_be_are_asked(void **state)
{
	char long_name[78];
	CLEANUP(end) struct scene scene;

	memset(long_name, 'x', sizeof(long_name));
	long_name[77] = '\0';
	begin(&scene);
	NAMESPACES(&scene, "", "moby", "a b", "a\r\nb", "\xff", long_name, "lab", "k8s.io");
	add_refusal(&scene, "5");
	add_refusal(&scene, "5");
	NAMESPACES(&scene, "lab"); /* of the second */
	add_container(&scene, ID, "bwa:1");
	add_text(&scene, "one too many");
	serve(&scene);
	runtimes_ask(scene.runtimes, 1, "containerd", "gone");
	runtimes_ask(scene.runtimes, 2, "containerd", ID);
	wait_told(&scene);
	assert_int_equal(scene.told, 1);
	assert_string_equal(scene.facts.image, "bwa:1");
	assert_string_equal(scene.facts.name, ID);
}

/* The call after the last of them is the next container's. */
static void so_many_namespaces_are_asked_and_no_more(void **state)
{
	const char *names[200] = { NULL };
	CLEANUP(end) struct scene scene;

	for (int i = 0; i < 100; i++)
		names[i] = "lab";
	begin(&scene);
	add_namespaces(&scene, names);
	for (int i = 0; i < 64; i++)
		add_refusal(&scene, "5");
	NAMESPACES(&scene, "lab");
	add_container(&scene, ID, "bwa:2");
	serve(&scene);
	runtimes_ask(scene.runtimes, 1, "containerd", "gone");
	runtimes_ask(scene.runtimes, 2, "containerd", ID);
	wait_told(&scene);
	assert_int_equal(scene.told, 1);
	assert_string_equal(scene.facts.image, "bwa:2");
}

static void what_is_no_answer_is_passed_over(void **state)
{
	static char huge[RUNTIME_BYTES + 1];
	struct buffer garbage = { .data = huge, .len = 40 },
		      much = { .data = huge, .len = sizeof(huge) };
	CLEANUP(end) struct scene scene;

	memset(huge, 0xff, sizeof(huge));
	begin(&scene);
	add_message(&scene, &garbage);               /* namespaces, of the first */
	add_message(&scene, &much);                  /* of the second */
	add_refusal(&scene, "12");                   /* of the third */
	NAMESPACES(&scene, "lab", "other", "third"); /* of the fourth */
	add_message(&scene, &garbage);
	add_container(&scene, "another", "bwa:3");
	add_message(&scene, &much);
	NAMESPACES(&scene, "lab");
	add_container(&scene, ID, "bwa:4");
	serve(&scene);
	for (uint64_t i = 0; i < 5; i++)
		runtimes_ask(scene.runtimes, i, "containerd", ID);
	wait_told(&scene);
	assert_int_equal(scene.told, 1);
	assert_string_equal(scene.facts.image, "bwa:4");
}

static void who_breaks_off_is_asked_again(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	add_text(&scene, "HTTP/1.1 400 Bad Request\r\n\r\n");
	NAMESPACES(&scene, "lab");
	add_refusal(&scene, "14"); /* it is not ready */
	NAMESPACES(&scene, "lab");
	add_container(&scene, ID, "bwa:5");
	serve(&scene);
	runtimes_ask(scene.runtimes, 1, "", ID);
	wait_told(&scene);
	assert_string_equal(scene.facts.image, "bwa:5");
}

static void silence_ends_and_a_socket_that_was_there_is_waited_for(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	(void)next_call(&scene);
	serve(&scene);
	runtimes_ask(scene.runtimes, 1, "kubernetes", ID);
	run_loop(&scene, 200);
	stop_server(&scene);
	unlink(scene.socket);
	run_loop(&scene, 1000);
	assert_int_equal(scene.told, 0);
	NAMESPACES(&scene, "lab");
	add_container(&scene, ID, "bwa:6");
	serve(&scene);
	wait_told(&scene);
	assert_string_equal(scene.facts.image, "bwa:6");
}

static void who_never_was_there_is_not_waited_for(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	runtimes_ask(scene.runtimes, 1, "containerd", ID);
	assert_int_equal(event_base_get_num_events(scene.base, EVENT_BASE_COUNT_ADDED), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_namespaces_that_can_be_are_asked),
		cmocka_unit_test(so_many_namespaces_are_asked_and_no_more),
		cmocka_unit_test(what_is_no_answer_is_passed_over),
		cmocka_unit_test(who_breaks_off_is_asked_again),
		cmocka_unit_test(silence_ends_and_a_socket_that_was_there_is_waited_for),
		cmocka_unit_test(who_never_was_there_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
