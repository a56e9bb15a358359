/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "server/access/plain_token.h"
#include "server/access/token_use.h"
#include "server/access/tokens.h"

struct fixture {
	char folder[64], tokens[80];
};

static int make(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/tracer-tokens-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	snprintf(fixture->tokens, sizeof(fixture->tokens), "%s/tokens", fixture->folder);
	*state = fixture;
	return 0;
}

static int drop(void **state)
{
	struct fixture *fixture = *state;

	file_remove_tree(fixture->folder);
	free(fixture);
	return 0;
}

static void put(const struct fixture *fixture, const char *name, const char *text)
{
	char path[160];

	assert_int_equal(file_make_folder(fixture->tokens, 0700, NULL), 0);
	snprintf(path, sizeof(path), "%s/%s", fixture->tokens, name);
	assert_int_equal(file_write(path, text, strlen(text), 0600, NULL), 0);
}

static enum scope scope_of(struct tokens *tokens, const char *secret)
{
	struct token_grant grant;

	return tokens_find(tokens, secret, &grant) ? SCOPE_NONE : grant.scope;
}

static void a_missing_folder_is_made_with_a_token_for_each_scope(void **state)
{
	struct fixture *fixture = *state;
	struct tokens *tokens = NULL;
	struct stat status;
	char path[160], *text;
	size_t len;

	assert_int_equal(tokens_open(&tokens, fixture->tokens, NULL), 0);
	assert_int_equal(tokens_count(tokens), 4);
	snprintf(path, sizeof(path), "%s/admin", fixture->tokens);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(stat(fixture->tokens, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, &len), 0);
	text[strcspn(text, "\n")] = '\0';
	assert_int_equal(scope_of(tokens, text), SCOPE_ADMIN);
	free(text);
	tokens_close(tokens);
}

static void a_file_is_of_the_scope_that_its_name_begins_with(void **state)
{
	struct fixture *fixture = *state;
	struct tokens *tokens = NULL;

	put(fixture, "read", "read-token-0123456789\n");
	put(fixture, "read-grafana", "grafana-token-0123456789\r\n");
	put(fixture, "ingest-node7", "node7-token-0123456789");
	put(fixture, "readme", "not-a-token-0123456789\n");
	assert_int_equal(tokens_open(&tokens, fixture->tokens, NULL), 0);
	assert_int_equal(tokens_count(tokens), 3);
	assert_int_equal(scope_of(tokens, "read-token-0123456789"), SCOPE_READ);
	assert_int_equal(scope_of(tokens, "grafana-token-0123456789"), SCOPE_READ);
	assert_int_equal(scope_of(tokens, "node7-token-0123456789"), SCOPE_INGEST);
	assert_int_equal(scope_of(tokens, "not-a-token-0123456789"), SCOPE_NONE);
	assert_int_equal(scope_of(tokens, ""), SCOPE_NONE);
	assert_int_equal(scope_of(tokens, "read-token-012345678"), SCOPE_NONE);
	tokens_close(tokens);
}

static void short_empty_and_many_lined_files_are_no_tokens(void **state)
{
	struct fixture *fixture = *state;
	struct tokens *tokens = NULL;

	put(fixture, "read", "read-token-0123456789\n");
	put(fixture, "admin", "short\n");
	put(fixture, "admin-empty", "");
	put(fixture, "admin-lines", "two-lines-0123456789\nand-another-0123456789\n");
	assert_int_equal(tokens_open(&tokens, fixture->tokens, NULL), 0);
	assert_int_equal(tokens_count(tokens), 1);
	assert_int_equal(scope_of(tokens, "short"), SCOPE_NONE);
	tokens_close(tokens);
}

static void a_removed_file_is_refused_after_reading_again(void **state)
{
	struct fixture *fixture = *state;
	struct tokens *tokens = NULL;
	char path[160];

	put(fixture, "read", "read-token-0123456789\n");
	put(fixture, "read-old", "old-token-0123456789\n");
	assert_int_equal(tokens_open(&tokens, fixture->tokens, NULL), 0);
	assert_int_equal(scope_of(tokens, "old-token-0123456789"), SCOPE_READ);
	snprintf(path, sizeof(path), "%s/read-old", fixture->tokens);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tokens_reload(tokens, false, NULL), 0);
	assert_int_equal(scope_of(tokens, "old-token-0123456789"), SCOPE_NONE);
	assert_int_equal(scope_of(tokens, "read-token-0123456789"), SCOPE_READ);
	tokens_close(tokens);
}

static void more_files_than_the_cap_are_not_read(void **state)
{
	struct fixture *fixture = *state;
	struct tokens *tokens = NULL;

	for (int i = 0; i < PLAIN_TOKENS_MAX + 1; i++) {
		char name[32], text[32];

		snprintf(name, sizeof(name), "read-%d", i);
		snprintf(text, sizeof(text), "token-0123456789-%d", i);
		put(fixture, name, text);
	}
	assert_int_equal(tokens_open(&tokens, fixture->tokens, NULL), 0);
	assert_int_equal(tokens_count(tokens), PLAIN_TOKENS_MAX);
	tokens_close(tokens);
}

/* The lake keeps something of each agent and boot for as long as it runs. */
static void one_token_is_not_of_any_number_of_agents(void **state)
{
	struct fixture *fixture = *state;
	struct token_uses *uses = NULL;
	struct token_use *use, *other;
	char boot[32];

	assert_int_equal(token_uses_open(&uses, fixture->folder, NULL), 0);
	use = token_use_get(uses, "0123456789abcdef");
	other = token_use_get(uses, "fedcba9876543210");
	assert_ptr_equal(token_use_get(uses, "0123456789abcdef"), use);
	for (int i = 0; i < TOKEN_SENDERS_MAX; i++) {
		snprintf(boot, sizeof(boot), "boot-%d", i);
		assert_true(token_use_sender(uses, use, "agent", boot));
	}
	assert_false(token_use_sender(uses, use, "agent", "one more"));
	assert_false(token_use_sender(uses, use, "another", "boot-0"));
	assert_true(token_use_sender(uses, use, "agent", "boot-0"));
	assert_true(token_use_sender(uses, other, "agent", "one more"));
	token_uses_close(uses);
}

static void admin_includes_the_others_and_they_not_each_other(void **state)
{
	assert_true(scope_allows(SCOPE_ADMIN, SCOPE_READ));
	assert_true(scope_allows(SCOPE_ADMIN, SCOPE_INGEST));
	assert_true(scope_allows(SCOPE_ADMIN, SCOPE_TELL));
	assert_true(scope_allows(SCOPE_NONE, SCOPE_NONE));
	assert_true(scope_allows(SCOPE_READ, SCOPE_READ));
	assert_false(scope_allows(SCOPE_READ, SCOPE_INGEST));
	assert_false(scope_allows(SCOPE_INGEST, SCOPE_READ));
	assert_false(scope_allows(SCOPE_INGEST, SCOPE_TELL));
	assert_false(scope_allows(SCOPE_TELL, SCOPE_INGEST));
	assert_false(scope_allows(SCOPE_TELL, SCOPE_READ));
	assert_false(scope_allows(SCOPE_READ, SCOPE_ADMIN));
	assert_false(scope_allows(SCOPE_NONE, SCOPE_READ));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_missing_folder_is_made_with_a_token_for_each_scope, make, drop),
		cmocka_unit_test_setup_teardown(a_file_is_of_the_scope_that_its_name_begins_with,
						make, drop),
		cmocka_unit_test_setup_teardown(short_empty_and_many_lined_files_are_no_tokens,
						make, drop),
		cmocka_unit_test_setup_teardown(a_removed_file_is_refused_after_reading_again, make,
						drop),
		cmocka_unit_test_setup_teardown(more_files_than_the_cap_are_not_read, make, drop),
		cmocka_unit_test_setup_teardown(one_token_is_not_of_any_number_of_agents, make,
						drop),
		cmocka_unit_test(admin_includes_the_others_and_they_not_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
