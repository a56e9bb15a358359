/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_policy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

int sweep_policy_read(const char *path, struct sweep_policy **ret, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	size_t len = 0;
	int rc = file_read(AT_FDCWD, path, SWEEP_POLICY_BYTES, &text, &len);

	if (rc == -ENOENT)
		return sweep_policy_parse("", 0, path, ret, err);
	if (rc == -EFBIG)
		return error_set(err, rc, "%s: more than 1 MiB of settings of sweeps", path);
	if (rc)
		return error_set(err, rc, "%s: %s", path, strerror(-rc));
	return sweep_policy_parse(text, len, path, ret, err);
}
