/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"

/* A folder with a token, and a lake in a child that answers every request the same. */
struct scene {
	char folder[64], token[96], url[64];
	struct common common;
	pid_t child;
	int fd;
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);

	assert_non_null(scene);
	strcpy(scene->folder, "/tmp/tracer-client-XXXXXX");
	assert_non_null(mkdtemp(scene->folder));
	snprintf(scene->token, sizeof(scene->token), "%s/token", scene->folder);
	write_text(scene->token, "sesame\n");
	scene->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(scene->fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(getsockname(scene->fd, (struct sockaddr *)&address, &len), 0);
	snprintf(scene->url, sizeof(scene->url), "http://127.0.0.1:%u", ntohs(address.sin_port));
	scene->common = (struct common){ .data = scene->folder,
					 .lake = scene->url,
					 .token_file = scene->token };
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	if (scene->child > 0) {
		kill(scene->child, SIGKILL);
		waitpid(scene->child, NULL, 0);
	}
	close(scene->fd);
	unlink(scene->token);
	rmdir(scene->folder);
	free(scene);
	return 0;
}

/* Reads one request whole and answers 418 unless it brings the token and asks below /api/v1. */
static void answer(int fd, int status, const char *body)
{
	char request[4096];
	size_t len = 0;
	ssize_t got = 1;

	request[0] = '\0';
	while (got > 0 && len < sizeof(request) - 1 && !strstr(request, "\r\n\r\n")) {
		got = read(fd, request + len, sizeof(request) - 1 - len);
		len += got > 0 ? (size_t)got : 0;
		request[len] = '\0';
	}
	if (!strstr(request, "Authorization: Bearer sesame\r\n") ||
	    strncmp(request, "GET /api/v1/runs/x ", 19) != 0)
		status = 418;
	dprintf(fd, "HTTP/1.1 %d x\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s", status,
		strlen(body), body);
}

static void lake_answers(struct scene *scene, int status, const char *body)
{
	assert_int_equal(listen(scene->fd, 8), 0);
	scene->child = fork();
	assert_true(scene->child >= 0);
	while (scene->child == 0) {
		int fd = accept(scene->fd, NULL, NULL);

		if (fd < 0)
			_exit(1);
		answer(fd, status, body);
		close(fd);
	}
}

static void get_fails(const struct scene *scene, int expected, const char *words)
{
	struct error err = { 0 };
	json_t *document = NULL;

	assert_int_equal(client_get(&scene->common, "/runs/x", &document, &err), expected);
	assert_null(document);
	if (!strstr(error_text(&err), words))
		fail_msg("\"%s\" lacks \"%s\"", error_text(&err), words);
}

static void an_answer_is_its_json(void **state)
{
	struct scene *scene = *state;
	struct error err = { 0 };
	json_t *document = NULL;

	lake_answers(scene, 200, "{\"answer\":42}");
	assert_int_equal(client_get(&scene->common, "/runs/x", &document, &err), 0);
	assert_int_equal(json_integer_value(json_object_get(document, "answer")), 42);
	json_decref(document);
}

static void what_the_lake_does_not_have_is_said_in_its_words(void **state)
{
	lake_answers(*state, 404, "{\"title\":\"t\",\"detail\":\"no run has the id x\"}");
	get_fails(*state, -ENOENT, "no run has the id x");
}

static void a_404_without_words_is_not_found(void **state)
{
	lake_answers(*state, 404, "<html>");
	get_fails(*state, -ENOENT, "not found");
}

static void a_refused_token_is_named_as_that(void **state)
{
	lake_answers(*state, 401, "{\"detail\":\"unknown token\"}");
	get_fails(*state, -EACCES, "the lake refused the token: unknown token");
}

static void a_broken_lake_leads_to_its_log(void **state)
{
	lake_answers(*state, 500, "");
	get_fails(*state, -EIO, "the lake answered 500: see its log");
}

/* What a call writes to stderr, and what it returns. */
static int take_stderr(const struct scene *scene, char *text, size_t size)
{
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO), rc;
	json_t *json = NULL;
	struct error err;
	size_t len;

	assert_non_null(file);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	rc = client_get(&scene->common, "/runs/x", &json, &err);
	(void)fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	close(before);
	rewind(file);
	len = fread(text, 1, size - 1, file);
	text[len] = '\0';
	(void)fclose(file);
	return rc;
}

static void runs_that_run_may_mean_are_listed_in_full(void **state)
{
	struct scene *scene = *state;
	char text[4096];

	lake_answers(scene, 409,
		     "{\"detail\":\"\\\"a\\\" is the start of 2 runs: name one by its id\","
		     "\"candidates\":[{\"id\":\"aa-1\",\"name\":\"one\",\"pipeline\":\"p\"},"
		     "{\"id\":\"ab-2\",\"name\":\"two-of-more-than-forty-characters-in-a-name\","
		     "\"engine_run_name\":\"mad_gautier\",\"status\":\"failed\"}]}");
	assert_int_equal(take_stderr(scene, text, sizeof(text)), -ENOTUNIQ);
	assert_non_null(strstr(text, "aa-1"));
	assert_non_null(strstr(text, "two-of-more-than-forty-characters-in-a-name"));
	assert_non_null(strstr(text, "mad_gautier"));
}

static void an_answer_that_is_no_json_is_no_answer(void **state)
{
	lake_answers(*state, 200, "<html>a proxy</html>");
	get_fails(*state, -EPROTO, "answered no JSON");
}

static void a_lake_that_does_not_listen_is_named_with_the_cure(void **state)
{
	struct scene *scene = *state;

	get_fails(scene, -ENOTCONN, "does not answer");
	get_fails(scene, -ENOTCONN, scene->url);
	get_fails(scene, -ENOTCONN, "sudo tracer up");
}

static void no_lake_known_says_how_to_start_or_name_one(void **state)
{
	struct scene *scene = *state;

	scene->common.lake = "";
	get_fails(scene, -ENOTCONN, "no Tracer is running from /tmp/tracer-client-");
}

static void a_missing_token_file_is_named(void **state)
{
	struct scene *scene = *state;

	unlink(scene->token);
	get_fails(scene, -ENOENT, scene->token);
}

static void a_token_file_that_cannot_be_read_is_named(void **state)
{
	struct scene *scene = *state;

	/* A folder: what even root cannot read as a file. */
	scene->common.token_file = scene->folder;
	get_fails(scene, -EISDIR, scene->folder);
}

static void without_a_token_file_the_folder_s_is_asked_for(void **state)
{
	struct scene *scene = *state;

	scene->common.token_file = "";
	get_fails(scene, -ENOENT, "tokens/read");
}

static void an_empty_token_file_is_refused_before_anything_is_sent(void **state)
{
	struct scene *scene = *state;

	write_text(scene->token, "\n");
	lake_answers(scene, 200, "{}");
	get_fails(scene, -EINVAL, "is empty");
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(an_answer_is_its_json),
		SCENE_TEST(what_the_lake_does_not_have_is_said_in_its_words),
		SCENE_TEST(a_404_without_words_is_not_found),
		SCENE_TEST(a_refused_token_is_named_as_that),
		SCENE_TEST(a_broken_lake_leads_to_its_log),
		SCENE_TEST(runs_that_run_may_mean_are_listed_in_full),
		SCENE_TEST(an_answer_that_is_no_json_is_no_answer),
		SCENE_TEST(a_lake_that_does_not_listen_is_named_with_the_cure),
		SCENE_TEST(no_lake_known_says_how_to_start_or_name_one),
		SCENE_TEST(a_missing_token_file_is_named),
		SCENE_TEST(a_token_file_that_cannot_be_read_is_named),
		SCENE_TEST(without_a_token_file_the_folder_s_is_asked_for),
		SCENE_TEST(an_empty_token_file_is_refused_before_anything_is_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
