/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failed_open.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"

/* Before its end: longer ago, it went on without the file. */
#define ARGUMENT_NS (5 * NS_PER_S)
#define OTHER_NS    (1 * NS_PER_S)

/* What the loader, the C library, interpreters and common libraries look for in several places. */
static const char *const routine_prefixes[] = {
	"/etc/ld.so", "/usr/lib",  "/usr/share", "/usr/local/lib", "/usr/local/share",
	"/lib",       "/proc/",    "/sys/",      "/dev/",          "/etc/",
	"/run/",      "/var/lib/", "/usr/etc/",  "/usr/bin",       "/bin/",
	NULL
};
static const char *const routine_suffixes[] = {
	".pyc", ".pyi",    ".so",   "/pyvenv.cfg", ".pth",      "/locale.alias",
	".mo",  "._pth",   ".pyd",  ".profile",    "rc",        ".conf",
	".cfg", ".config", "/.git", "/HEAD",       ".Renviron", "/orig-prefix.txt",
	NULL
};
static const char *const routine_parts[] = { "/locale/",
					     "/gconv/",
					     ".so.",
					     "/site-packages/",
					     "/dist-packages/",
					     "/__pycache__/",
					     "/.config/",
					     "/.cache/",
					     "/.local/",
					     "/terminfo/",
					     "/lib64/",
					     "/glibc-hwcaps/",
					     "/hsperfdata_",
					     "/.java/",
					     "/tls/",
					     "/lib/python",
					     NULL };

bool failed_open_is_routine(const char *path)
{
	for (size_t i = 0; routine_prefixes[i]; i++)
		if (text_starts_with(path, routine_prefixes[i]))
			return true;
	for (size_t i = 0; routine_suffixes[i]; i++)
		if (text_ends_with(path, routine_suffixes[i]))
			return true;
	for (size_t i = 0; routine_parts[i]; i++)
		if (strstr(path, routine_parts[i]))
			return true;
	return false;
}

/* `--file=NAME`, `file:NAME`: what is behind. */
static const char *value_of(const char *argument)
{
	const char *value = argument + strcspn(argument, "=");

	return *value ? value + 1 : argument;
}

/* Only by the last part of the path: an argument may be relative, or a link. */
static enum open_place compare(const char *path, const char *argument)
{
	const char *name = text_basename(path), *given = text_basename(value_of(argument));
	size_t len = strlen(given);

	if (len < 2)
		return OPEN_OTHER;
	if (strcmp(name, given) == 0)
		return OPEN_ARGUMENT;
	return len >= 3 && strncmp(name, given, len) == 0 && name[len] == '.' ? OPEN_DERIVED
									      : OPEN_OTHER;
}

static enum open_place place_of(const struct tree_process *process, const char *path)
{
	enum open_place best = OPEN_OTHER;

	for (size_t i = 1; i < process->argc; i++) {
		enum open_place place = compare(path, process->argv[i]);

		if (place < best)
			best = place;
	}
	return best;
}

static bool has_error(const struct failed_open *open, const int *errors, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (open->error == errors[i])
			return true;
	return false;
}

const struct failed_open *failed_open_find(const struct failure_case *failure, const int *errors,
					   size_t count, enum open_place *ret_place)
{
	const struct failure_facts *facts = failure->facts;
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	const struct failed_open *best = NULL;

	for (size_t i = 0; culprit && i < facts->open_count; i++) {
		const struct failed_open *open = &facts->opens[i];
		int64_t before = culprit->ended_at - open->last_at;
		enum open_place place;

		if (open->process != failure->culprit || !*open->path ||
		    !has_error(open, errors, count) || before > ARGUMENT_NS)
			continue;
		place = place_of(culprit, open->path);
		if (place != OPEN_ARGUMENT &&
		    (before > OTHER_NS || failed_open_is_routine(open->path)))
			continue;
		if (!best || place <= *ret_place) {
			best = open;
			*ret_place = place;
		}
	}
	return best;
}
