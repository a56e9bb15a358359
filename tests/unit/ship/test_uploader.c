/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "fixture_lake.h"
#include "wait.h"

#define MIB  ((uint64_t)1 << 20)
#define MOST 1000

static void batches_arrive_once_and_in_order(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene_put(&scene, 1, 100); /* from before the uploader */
	scene_upload(&scene, 0);
	scene_until_taken(&scene, 100);
	assert_int_equal(scene_status(&scene).state, UPLOADER_IDLE);
	scene_put(&scene, 101, 150);
	scene_until_taken(&scene, 150);
	struct uploader_status status = scene_status(&scene);
	assert_int_equal(status.batches, 150);
	assert_int_equal(status.records, 1500);
	assert_int_equal(status.bytes, 150 * 500);
	assert_int_equal(status.duplicates, 0);
	assert_true(status.last_ok_at > 0);
	assert_string_equal(status.last_error.text, "");
	assert_int_equal(scene.lake.requests, 150);
}

static void a_lake_that_is_away_at_start_and_goes_away_again_gets_all(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	lake_stop(&scene);
	scene_put(&scene, 1, 5);
	scene_upload(&scene, 0);
	scene_until(&scene, UPLOADER_WAITING, "refused");
	lake_start(&scene);
	scene_until_taken(&scene, 5);
	lake_stop(&scene);
	scene_put(&scene, 6, 10);
	scene_until(&scene, UPLOADER_WAITING, "refused");
	lake_start(&scene);
	scene_until_taken(&scene, 10);
	assert_string_equal(scene_status(&scene).last_error.text, "");
}

static void a_refused_token_is_read_again(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene_token(&scene, "wrong");
	scene_put(&scene, 1, 3);
	scene_upload(&scene, 0);
	scene_until(&scene, UPLOADER_REFUSED, scene.token_file);
	assert_null(strstr(scene_status(&scene).last_error.text, "wrong"));
	assert_int_equal(unlink(scene.token_file), 0);
	scene_until(&scene, UPLOADER_REFUSED, "cannot read the token");
	scene_token(&scene, "right");
	scene_until_taken(&scene, 3);
	strcpy(scene.lake.token, "newer"); /* changed while it runs */
	scene_put(&scene, 4, 5);
	scene_until(&scene, UPLOADER_REFUSED, "refuses the token");
	scene_token(&scene, "newer");
	scene_until_taken(&scene, 5);
}

static void what_the_lake_says_of_a_refusal_is_passed_on_as_plain_text(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene.lake.status = 403;
	scene.lake.says = "{\"detail\":\"this token is of\\u001b[2J another host\"}";
	scene_put(&scene, 1, 1);
	scene_upload(&scene, 0);
	scene_until(&scene, UPLOADER_REFUSED, "(HTTP 403): this token is of [2J another host");
	scene.lake.says = "<html>";
	scene_until(&scene, UPLOADER_REFUSED, "(HTTP 403)");
	scene.lake.status = 0;
	scene.lake.says = NULL;
	scene_until_taken(&scene, 1);
}

static void left_alone(int status, const char *words)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene.lake.status = status;
	scene.lake.retry_after = "1";
	scene_put(&scene, 1, 2);
	scene_upload(&scene, 0);
	scene_until(&scene, UPLOADER_WAITING, words);
	scene_loop(&scene, 900);
	assert_int_equal(scene.lake.requests, 1);
	scene.lake.status = 0;
	scene_until_taken(&scene, 2);
}

static void a_busy_lake_is_left_alone_as_long_as_it_says(void **state)
{
	left_alone(503, "503");
}

static void an_agent_beyond_its_limit_comes_later_as_the_lake_says(void **state)
{
	left_alone(429, "429");
}

static void a_busy_lake_that_says_nothing_is_asked_ever_more_rarely(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene.lake.status = 500;
	scene_put(&scene, 1, 1);
	scene_upload(&scene, 0);
	scene_loop(&scene, 800); /* waits of at most 20, 40, 80, 80 … ms, at least half of it */
	assert_in_range(scene.lake.requests, 5, 24);
	scene.lake.status = 0;
	scene_until_taken(&scene, 1);
}

/* Lines that were logged with words while the loop ran. */
static unsigned count_logged(struct scene *scene, unsigned ms, const char *words)
{
	char path[100], *text = NULL;
	unsigned count = 0;
	size_t len = 0;
	snprintf(path, sizeof(path), "%s/log", scene->folder.path);
	int kept = dup(STDERR_FILENO);
	CLEANUP(closep) int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	scene_loop(scene, ms);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	close(kept);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	for (const char *at = text; (at = strstr(at, words)); at++)
		count++;
	free(text);
	return count;
}

static void a_lasting_trouble_is_logged_once(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene.lake.status = 500;
	scene_put(&scene, 1, 1);
	scene_upload(&scene, 0);
	assert_int_equal(count_logged(&scene, 500, "HTTP 500"), 1);
	assert_true(scene.lake.requests > 3);
	scene.lake.status = 0;
	assert_int_equal(count_logged(&scene, 200, "takes batches again"), 1);
}

static void a_malformed_batch_is_set_aside_and_the_next_ones_go_on(void **state)
{
	static const int statuses[] = { 400, 413, 422 };
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(scene_end) struct scene scene;
		struct spool_loss loss = { 0 };
		scene_begin(&scene);
		scene.lake.status = statuses[i];
		scene.lake.status_of_sequence = 2;
		scene_put(&scene, 1, 1);
		scene_upload(&scene, 0);
		scene_put(&scene, 2, 3);
		WAIT_DOING(spool_entries(scene.spool) == 0, scene_loop(&scene, 10),
			   "the spool to be empty");
		assert_int_equal(scene.lake.count, 2);
		assert_int_equal(scene.lake.taken[1], 3);
		assert_int_equal(scene_status(&scene).rejected_batches, 1);
		assert_int_equal(scene_status(&scene).rejected_records, 10);
		assert_int_equal(spool_take_loss(scene.spool, &loss), 1);
		assert_string_equal(loss.why, "lake rejected");
	}
}

static void what_answers_200_and_is_no_lake_has_taken_nothing(void **state)
{
	static const char *const answers[] = { "<html>Welcome to the guest network</html>",
					       "",
					       "{\"sequence\":7,\"duplicate\":false}",
					       "{\"sequence\":1}",
					       "[1]",
					       "null" };
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		CLEANUP(scene_end) struct scene scene;
		scene_begin(&scene);
		scene.lake.says = answers[i];
		scene_put(&scene, 1, 2);
		scene_upload(&scene, 0);
		scene_until(&scene, UPLOADER_WAITING, "not a lake");
		assert_int_equal(spool_entries(scene.spool), 2);
		assert_int_equal(scene_status(&scene).batches, 0);
		scene.lake.says = NULL;
		scene_until_taken(&scene, 2);
	}
}

static void an_answer_that_got_lost_makes_a_duplicate_that_the_lake_knows(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene);
	scene.lake.forgets_answer = true;
	scene_put(&scene, 1, 2);
	scene_upload(&scene, 100 * NS_PER_MS);
	scene_until(&scene, UPLOADER_WAITING, "100 ms");
	assert_int_equal(spool_entries(scene.spool), 2);
	scene.lake.forgets_answer = false;
	scene_until_taken(&scene, 2);
	assert_true(scene.lake.duplicates >= 1);
	assert_true(scene_status(&scene).duplicates >= 1);
	assert_int_equal(scene_status(&scene).batches, 2);
}

static void say_garbage(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from,
			int len, void *context)
{
	(*(unsigned *)context)++;
	assert_int_equal(write(fd, "220 smtp.example.org\r\n", 22), 22);
	close(fd);
}

static void garbage_on_the_wire_has_taken_nothing(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	unsigned connections = 0;
	scene_begin(&scene);
	lake_stop(&scene);
	address.sin_port = htons(scene.lake.port);
	struct evconnlistener *listener = evconnlistener_new_bind(
		scene.base, say_garbage, &connections, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, 5,
		(struct sockaddr *)&address, sizeof(address));
	assert_non_null(listener);
	scene_put(&scene, 1, 2);
	scene_upload(&scene, 0);
	scene_until(&scene, UPLOADER_WAITING, "not HTTP");
	evconnlistener_free(listener);
	assert_true(connections >= 1);
	assert_int_equal(spool_entries(scene.spool), 2);
	lake_start(&scene);
	scene_until_taken(&scene, 2);
}

static void a_url_that_cannot_be_is_said_at_once(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct uploader_options options = { .url = "ftp://lake" };
	struct error words = { 0 };
	scene_begin(&scene);
	assert_true(uploader_new(&scene.uploader, scene.base, scene.spool, &options, &words) < 0);
	assert_non_null(strstr(words.text, "http://"));
	assert_null(scene.uploader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_arrive_once_and_in_order),
		cmocka_unit_test(a_lake_that_is_away_at_start_and_goes_away_again_gets_all),
		cmocka_unit_test(a_refused_token_is_read_again),
		cmocka_unit_test(what_the_lake_says_of_a_refusal_is_passed_on_as_plain_text),
		cmocka_unit_test(a_busy_lake_is_left_alone_as_long_as_it_says),
		cmocka_unit_test(an_agent_beyond_its_limit_comes_later_as_the_lake_says),
		cmocka_unit_test(a_busy_lake_that_says_nothing_is_asked_ever_more_rarely),
		cmocka_unit_test(a_lasting_trouble_is_logged_once),
		cmocka_unit_test(a_malformed_batch_is_set_aside_and_the_next_ones_go_on),
		cmocka_unit_test(what_answers_200_and_is_no_lake_has_taken_nothing),
		cmocka_unit_test(an_answer_that_got_lost_makes_a_duplicate_that_the_lake_knows),
		cmocka_unit_test(garbage_on_the_wire_has_taken_nothing),
		cmocka_unit_test(a_url_that_cannot_be_is_said_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
