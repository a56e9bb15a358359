/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/up_replay.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/local/folder.h"
#include "cli/terminal/print.h"
#include "cli/lake/recorded.h"

#define MARK "recorded" /* the file in the data folder with the description */

/* Ids are always made with this salt, so that a recording replayed twice is one run. */
#define SALT "up"

char *up_replayed(const char *data)
{
	char path[FOLDER_PATH_SIZE], *words;
	size_t len;

	if (file_read(AT_FDCWD, folder_path(data, MARK, path), 4096, &words, &len) < 0)
		return NULL;
	words[strcspn(words, "\n")] = '\0';
	return words;
}

void up_replay_forget(const char *data)
{
	char path[FOLDER_PATH_SIZE];

	unlink(folder_path(data, MARK, path));
}

static int mark(const char *data, const char *words, struct error *err)
{
	char path[FOLDER_PATH_SIZE], line[512];

	snprintf(line, sizeof(line), "%s\n", words);
	return file_write(folder_path(data, MARK, path), line, strlen(line), 0600, err);
}

int up_replay(const struct common *common, const char *file, struct error *err)
{
	const struct recorded_replay replay = { .salt = SALT, .now = true };
	struct recorded_summary summary = { 0 };
	char *bytes CLEANUP(freep) = NULL, words[256];
	size_t len = 0;
	int code = file ? recorded_read(file, &bytes, &len, err) : 0;

	if (code == 0)
		code = recorded_replay(common, file ? bytes : (const char *)recorded_demo,
				       file ? len : recorded_demo_size, &replay, &summary, err);
	if (code == 0)
		code = mark(common->data, recorded_words(&summary, words, sizeof(words)), err);
	if (code < 0 || common->json)
		return code;
	printf("This is a RECORDED run, not of this machine: ");
	print_text(stdout, words);
	printf(".\n");
	return 0;
}
