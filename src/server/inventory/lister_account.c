/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/lister_account.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/log.h"
#include "server/confine/confine.h"
#include "server/confine/sanitizer.h"

/* An answer of FETCH_BYTES takes a tenth of it as a tree. */
#define MEMORY_MAX ((rlim_t)2 << 30)

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		bytes += written;
		len -= (size_t)written;
	}
	return 0;
}

static int write_line(void *context, const char *line, size_t len)
{
	int rc = write_all(*(int *)context, line, len);

	return rc ? rc : write_all(*(int *)context, "\n", 1);
}

/* Secrets go into no core file; what an answer takes of memory is limited. */
static void set_limits(void)
{
	const struct rlimit none = { 0, 0 }, memory = { MEMORY_MAX, MEMORY_MAX };

	(void)setrlimit(RLIMIT_CORE, &none);
	if (!CONFINE_SANITIZED) {
		(void)setrlimit(RLIMIT_AS, &memory);
		prctl(PR_SET_DUMPABLE, 0);
	}
}

const char *lister_token_file(void)
{
	const char *path = getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");

	return path ? path : "";
}

int lister_account(const struct inventory_account *account, int fd)
{
	const struct landlock_path paths[] = { { account->credentials_file, false },
					       { lister_token_file(), false } };
	const struct inventory_sink sink = { write_line, &fd };
	struct error err = { "" };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_limits();
	if (confine_listing(paths, 2, &err)) {
		log_error("account %s is not listed: %s", account->name, error_text(&err));
		return EXIT_FAILURE;
	}
	(void)inventory_list(account, &sink, &err); /* the last line has the error */
	return 0;
}

void lister_account_failed(const struct inventory_account *account, int fd, const char *why)
{
	CLEANUP(buffer_clear) struct buffer line = { 0 };
	struct json json;

	buffer_init(&line, INVENTORY_LINE);
	buffer_append_char(&line, '\n'); /* the last one may lack its end */
	json_init(&json, &line, false);
	json_object_begin(&json);
	json_key(&json, "kind");
	json_text(&json, "listing");
	json_key(&json, "account");
	json_text(&json, account->name);
	json_key(&json, "provider");
	json_text(&json, account->provider);
	json_key(&json, "account_id");
	json_text(&json, "");
	json_key(&json, "complete");
	json_bool(&json, false);
	json_key(&json, "error");
	json_text(&json, why);
	json_object_end(&json);
	if (!line.failed)
		(void)write_line(&fd, line.data, line.len);
}
