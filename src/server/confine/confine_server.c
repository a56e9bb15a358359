/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/confine_server.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "server/confine/confine.h"
#include "server/settings.h"

/* The folder of a file; of a link also that of the file it leads to: certificates are often renewed
 * by another link. Both are "" where there is no such file. */
struct file_folders {
	char named[PATH_MAX], real[PATH_MAX];
};

static void find_folders(const char *path, struct file_folders *ret)
{
	CLEANUP(freep) char *real = *path ? realpath(path, NULL) : NULL;
	CLEANUP(freep) char *named = strdup(path);

	ret->named[0] = ret->real[0] = '\0';
	if (!real || !named || strlen(named) >= PATH_MAX)
		return;
	stpcpy(ret->named, dirname(named));
	stpcpy(ret->real, dirname(real));
}

static int make_archive(const char *folder, struct error *err)
{
	int rc = file_make_folder(folder, 0700, NULL);

	return rc ? error_set(err, rc,
			      "archive-folder: cannot make %s: %s; make it as root (install -d -o "
			      "%u -m 700 %s)",
			      folder, strerror(-rc), geteuid(), folder)
		  : 0;
}

int confine_server(const struct settings *settings, struct error *err)
{
	struct file_folders certificate, key, client_ca;
	int rc = file_make_folder(settings->data_folder, 0700, err);

	if (rc == 0 && *settings->archive_folder)
		rc = make_archive(settings->archive_folder, err);
	find_folders(settings->tls_certificate_file, &certificate);
	find_folders(settings->tls_key_file, &key);
	find_folders(settings->tls_client_ca_file, &client_ca);
	const struct landlock_path paths[] = {
		{ settings->data_folder, true },
		{ settings->tokens_folder, true },
		{ settings->archive_folder, true },
		{ certificate.named, false },
		{ certificate.real, false },
		{ key.named, false },
		{ key.real, false },
		{ client_ca.named, false },
		{ client_ca.real, false },
	};
	return rc ? rc : confine_process(paths, sizeof(paths) / sizeof(paths[0]), err);
}
