/* SPDX-License-Identifier: Apache-2.0 */
#include "recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "signal/batch.h"
#include "signal/recording.h"

DEFINE_CLEANUP(struct recording *, recording_close)

static int add_batch(struct recorded_run *run, Signal__Batch *batch, struct error *err)
{
	Signal__Batch **larger = realloc(run->batches, (run->count + 1) * sizeof(Signal__Batch *));

	if (!larger)
		return error_set(err, -ENOMEM, "no memory for a recorded run");
	run->batches = larger;
	run->batches[run->count++] = batch;
	return 0;
}

static int read_run(struct recorded_run *run, const char *path, struct error *err)
{
	CLEANUP(recording_closep) struct recording *recording = NULL;
	CLEANUP(freep) char *bytes = NULL;
	Signal__Batch *batch;
	size_t len = 0;
	int rc = file_read(AT_FDCWD, path, RECORDING_LIMIT, &bytes, &len);

	if (rc)
		return error_set(err, rc, "%s cannot be read", path);
	rc = recording_open(&recording, bytes, len, err);
	while (rc == 0) {
		rc = recording_next(recording, &batch, err);
		if (rc <= 0)
			return rc;
		rc = add_batch(run, batch, err);
	}
	return rc;
}

int recordings_open(struct recordings *ret, const char *folder, struct error *err)
{
	char pattern[4096];
	glob_t found;
	int rc = 0;

	*ret = (struct recordings){ 0 };
	snprintf(pattern, sizeof(pattern), "%s/*.rec", folder);
	glob(pattern, 0, NULL, &found);
	snprintf(pattern, sizeof(pattern), "%s/causes/*.rec", folder);
	glob(pattern, GLOB_APPEND, NULL, &found);
	if (!found.gl_pathc)
		rc = error_set(err, -ENOENT, "%s has no recorded runs", folder);
	ret->runs = calloc(found.gl_pathc + 1, sizeof(*ret->runs));
	if (!ret->runs)
		rc = error_set(err, -ENOMEM, "no memory for recorded runs");
	for (size_t i = 0; !rc && i < found.gl_pathc; i++)
		rc = read_run(&ret->runs[ret->count++], found.gl_pathv[i], err);
	globfree(&found);
	if (rc)
		recordings_close(ret);
	return rc;
}

void recordings_close(struct recordings *recordings)
{
	for (size_t i = 0; recordings->runs && i < recordings->count; i++) {
		for (size_t k = 0; k < recordings->runs[i].count; k++)
			batch_free(recordings->runs[i].batches[k]);
		free(recordings->runs[i].batches);
	}
	free(recordings->runs);
	*recordings = (struct recordings){ 0 };
}
