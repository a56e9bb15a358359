/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/script_request.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_LIMIT   1e6
#define MEMORY_LIMIT 1e18 /* bytes */

enum what { CPUS, SHARES, MEMORY, MEGABYTES };

/*
 * Seen in what Nextflow 24.10 writes (docs/engines/nextflow.md): on lines that begin so, a number
 * behind a key. Of a parallel environment the number is the second word.
 */
static const struct form {
	const char *line, *key;
	enum what what;
	unsigned words; /* between the key and the number */
} forms[] = {
	{ "#SBATCH ", "-c ", CPUS, 0 },
	{ "#SBATCH ", "--cpus-per-task=", CPUS, 0 },
	{ "#SBATCH ", "--mem ", MEMORY, 0 },
	{ "#SBATCH ", "--mem=", MEMORY, 0 },
	{ "#$ ", "-pe ", CPUS, 1 },
	{ "#$ ", "h_rss=", MEMORY, 0 },
	{ "#$ ", "mem_free=", MEMORY, 0 },
	{ "#PBS ", "ppn=", CPUS, 0 },
	{ "#PBS ", "ncpus=", CPUS, 0 },
	{ "#PBS ", "mem=", MEMORY, 0 },
	{ "#MSUB ", "ppn=", CPUS, 0 },
	{ "#MSUB ", "mem=", MEMORY, 0 },
	{ "#BSUB ", "-n ", CPUS, 0 },
	{ "#BSUB ", "rusage[mem=", MEGABYTES, 0 },
	{ "#OAR ", "core=", CPUS, 0 },
	{ "docker run ", "--cpus ", CPUS, 0 },
	{ "docker run ", "--cpu-shares ", SHARES, 0 },
	{ "docker run ", "--memory ", MEMORY, 0 },
	{ "podman run ", "--cpus ", CPUS, 0 },
	{ "podman run ", "--cpu-shares ", SHARES, 0 },
	{ "podman run ", "--memory ", MEMORY, 0 },
};

static double unit_of(char letter)
{
	static const char letters[] = "kmgt";
	const char *at = letter ? strchr(letters, tolower((unsigned char)letter)) : NULL;
	double unit = 1;

	for (; at && at >= letters; at--)
		unit *= 1024;
	return unit;
}

static const char *skip_word(const char *at)
{
	at += strcspn(at, " \n");
	return at + strspn(at, " ");
}

static void add(struct request *request, enum what what, const char *text)
{
	char *end;
	double number;

	if (!isdigit((unsigned char)*text))
		return;
	number = strtod(text, &end);
	if (number <= 0)
		return;
	if (what == SHARES)
		number /= 1024; /* 1024 stand for a CPU */
	else if (what == MEGABYTES)
		number *= 1024 * 1024;
	else if (what == MEMORY)
		number *= unit_of(*end);
	if ((what == CPUS || what == SHARES) && number <= CPUS_LIMIT)
		request->cpus = number;
	else if ((what == MEMORY || what == MEGABYTES) && number <= MEMORY_LIMIT)
		request->memory_bytes = (uint64_t)number;
}

/* Behind the key in a line, which is a word's beginning or follows a separator; NULL: not there. */
static const char *find_key(const char *line, size_t len, const char *key)
{
	const char *at = line;

	while ((at = memmem(at, len - (size_t)(at - line), key, strlen(key)))) {
		if (at > line && strchr(" ,:/\"[", at[-1]))
			return at + strlen(key);
		at++;
	}
	return NULL;
}

static void read_line(struct request *request, const char *line, size_t len)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const struct form *form = &forms[i];
		const char *value;

		if (!text_starts_with(line, form->line))
			continue;
		value = find_key(line, len, form->key);
		for (unsigned words = 0; value && words < form->words; words++)
			value = skip_word(value);
		if (value && value < line + len)
			add(request, form->what, value);
	}
}

struct request script_request(const char *text)
{
	struct request request = { 0 };

	for (const char *line = text; *line;) {
		size_t len;

		line += strspn(line, " \t");
		if (text_starts_with(line, "sudo "))
			line += strlen("sudo ");
		len = strcspn(line, "\n");
		read_line(&request, line, len);
		line += len + (line[len] == '\n');
	}
	return request;
}
