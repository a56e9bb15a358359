/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "collect/host/host_facts.h"
#include "collect/agent/marker.h"
#include "collect/agent/rules_folder.h"
#include "collect/host/users.h"

#define MACHINE "0123456789abcdef0123456789abcdef"

/* A folder with a root of its own, for facts; and a state folder in it. */
struct folder {
	char path[64], state[80];
};

static void folder_make(struct folder *folder)
{
	static const char *const made[] = { "etc", "proc/sys/kernel/random", "state" };
	char path[128];

	(void)snprintf(folder->path, sizeof(folder->path), "/tmp/tracer-state-XXXXXX");
	assert_non_null(mkdtemp(folder->path));
	(void)snprintf(folder->state, sizeof(folder->state), "%s/state", folder->path);
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder->path, made[i]);
		assert_int_equal(file_make_folder(path, 0700, NULL), 0);
	}
}

static void folder_remove(struct folder *folder)
{
	file_remove_tree(folder->path);
}

static void put(const struct folder *folder, const char *file, const char *text)
{
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/%s", folder->path, file);
	assert_int_equal(file_write(path, text, strlen(text), 0600, NULL), 0);
}

static void put_boot_id(const struct folder *folder)
{
	put(folder, "proc/sys/kernel/random/boot_id", "68b91a93-3f57-42f3-b020-00a44cd2267c\n");
}

static void this_host_has_facts(void **state)
{
	struct host_facts facts;
	struct error err = { 0 };
	Signal__Host host;

	assert_int_equal(host_facts_read(&facts, "", NULL, &err), 0);
	host_facts_message(&facts, &host);
	assert_true(*host.hostname && *host.kernel && *host.arch);
	assert_true(host.cpus > 0 && host.memory_bytes > 1 << 20);
	assert_true(host.booted_at > 0 && host.booted_at < clock_real_ns());
	assert_int_equal(strlen(facts.boot_id.text), 36);
	host_facts_clear(&facts);
}

static void the_host_id_hides_the_machine_id_and_stays(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct host_facts first, second;
	struct error err = { 0 };

	folder_make(&folder);
	put_boot_id(&folder);
	put(&folder, "etc/machine-id", MACHINE "\n");
	put(&folder, "etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 1\"\n");
	assert_int_equal(host_facts_read(&first, folder.path, folder.state, &err), 0);
	assert_int_equal(host_facts_read(&second, folder.path, folder.state, &err), 0);
	assert_string_equal(first.host_id.text, second.host_id.text);
	assert_null(strstr(first.host_id.text, "01234567"));
	assert_string_equal(first.os, "Some Linux 1");
	host_facts_clear(&first);
	host_facts_clear(&second);
}

static void a_host_without_machine_id_gets_one_that_is_kept(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct host_facts first, second;
	struct error err = { 0 };

	folder_make(&folder);
	put_boot_id(&folder);
	put(&folder, "etc/machine-id", "uninitialized\n");
	assert_int_equal(host_facts_read(&first, folder.path, folder.state, &err), 0);
	assert_int_equal(host_facts_read(&second, folder.path, folder.state, &err), 0);
	assert_string_equal(first.host_id.text, second.host_id.text);
	host_facts_clear(&second);
	put(&folder, "state/machine-id", "another\n");
	assert_int_equal(host_facts_read(&second, folder.path, folder.state, &err), 0);
	assert_string_not_equal(first.host_id.text, second.host_id.text);
	host_facts_clear(&first);
	host_facts_clear(&second);
}

static void without_proc_there_is_no_boot(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct host_facts facts;
	struct error err = { 0 };

	folder_make(&folder);
	assert_int_equal(host_facts_read(&facts, folder.path, folder.state, &err), -ENOENT);
	assert_non_null(strstr(error_text(&err), "is /proc mounted?"));
}

static void the_marker_tells_since_when_nobody_watched(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct marker_previous previous;
	struct marker *marker;
	struct error err = { 0 };

	folder_make(&folder);
	assert_int_equal(marker_open(&marker, folder.state, "boot-1", &previous, &err), 0);
	assert_int_equal(previous.alive_at, 0);
	marker_beat(marker, 1234567890123456789);
	marker_free(marker); /* as if it were killed */
	assert_int_equal(marker_open(&marker, folder.state, "boot-1", &previous, &err), 0);
	assert_int_equal(previous.alive_at, 1234567890123456789);
	assert_false(previous.rebooted);
	marker_beat(marker, 42);
	marker_free(marker);
	assert_int_equal(marker_open(&marker, folder.state, "boot-2", &previous, &err), 0);
	assert_int_equal(previous.alive_at, 42);
	assert_true(previous.rebooted);
	marker_remove(marker);
	marker_free(marker);
	assert_int_equal(marker_open(&marker, folder.state, "boot-2", &previous, &err), 0);
	assert_int_equal(previous.alive_at, 0);
	marker_free(marker);
}

static void a_damaged_marker_is_an_unclean_end(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct marker_previous previous;
	struct marker *marker;
	struct error err = { 0 };

	folder_make(&folder);
	put(&folder, "state/running", "\x01\xff garbage");
	assert_int_equal(marker_open(&marker, folder.state, "boot-1", &previous, &err), 0);
	assert_true(previous.alive_at > 0);
	marker_free(marker);
}

static void users_are_found_in_passwd_and_nowhere_else(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct users *users;
	char path[128], line[3000];

	folder_make(&folder);
	memset(line, 'x', sizeof(line));
	(void)snprintf(line + 2000, 900,
		       ":x:66:\nafter:x:7:7::/:\nempty::8:8::/:\nbroken\n:::\nneg:x:-1:\n");
	put(&folder, "etc/passwd", line);
	(void)snprintf(path, sizeof(path), "%s/etc/passwd", folder.path);
	users = users_new(path);
	assert_string_equal(users_name(users, 7), "after");
	assert_string_equal(users_name(users, 8), "empty");
	assert_string_equal(users_name(users, 66), ""); /* a line beyond 1023 bytes is none */
	assert_string_equal(users_name(users, 71), ""); /* shares a slot with 7 */
	assert_string_equal(users_name(users, 7), "after");
	put(&folder, "etc/passwd", "renamed:x:7:7::/:\n");
	assert_string_equal(users_name(users, 7), "after");
	users_forget(users);
	assert_string_equal(users_name(users, 7), "renamed");
	users_free(users);
}

static void rules_of_a_folder_come_in_order_of_name(void **state)
{
	static const char *const argv[] = { "thing", NULL };
	CLEANUP(folder_remove) struct folder folder;
	struct rules *rules;
	struct error err = { 0 };
	char text[64];

	folder_make(&folder);
	put(&folder, "state/20-b.yaml", "tools:\n  - exe: thing\n    name: second\n");
	put(&folder, "state/10-a.yaml", "tools:\n  - exe: thing\n    name: first\n");
	put(&folder, "state/99-c.txt", "not rules\n");
	assert_int_equal(rules_folder_load(&rules, folder.state, &err), 0);
	assert_string_equal(rules_tool(rules, "/bin/thing", argv, 1, text, sizeof(text)), "second");
	rules_free(rules);
}

static void a_wrong_rule_fails_with_its_place_and_no_folder_is_fine(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct rules *rules = NULL;
	struct error err = { 0 };

	folder_make(&folder);
	put(&folder, "state/10-a.yaml", "tools:\n  - nmae: thing\n");
	assert_true(rules_folder_load(&rules, folder.state, &err) < 0);
	assert_non_null(strstr(error_text(&err), "10-a.yaml:2"));
	assert_null(rules);
	assert_int_equal(rules_folder_load(&rules, "/does/not/exist", &err), 0);
	rules_free(rules);
	assert_int_equal(rules_folder_load(&rules, "", &err), 0);
	rules_free(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_host_has_facts),
		cmocka_unit_test(the_host_id_hides_the_machine_id_and_stays),
		cmocka_unit_test(a_host_without_machine_id_gets_one_that_is_kept),
		cmocka_unit_test(without_proc_there_is_no_boot),
		cmocka_unit_test(the_marker_tells_since_when_nobody_watched),
		cmocka_unit_test(a_damaged_marker_is_an_unclean_end),
		cmocka_unit_test(users_are_found_in_passwd_and_nowhere_else),
		cmocka_unit_test(rules_of_a_folder_come_in_order_of_name),
		cmocka_unit_test(a_wrong_rule_fails_with_its_place_and_no_folder_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
