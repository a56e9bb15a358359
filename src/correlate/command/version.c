/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/version.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define WORDS_LOOKED_AT 8 /* of a command line: a script or jar is among the first */
#define NAME_SIZE       128

/* Packages that bear another name than what they hold (one '*': anything). */
static const struct {
	const char *package, *tool;
} packages[] = {
	{ "python", "python3*" },
	{ "python3", "python3*" },
	{ "python3", "python" },
	{ "openjdk", "java" },
	{ "jdk", "java" },
	{ "jre", "java" },
	{ "r-base", "r" },
	{ "r-base", "rscript" },
	{ "r", "rscript" },
	{ "blast", "blast*" },
	{ "blast", "tblast*" },
	{ "blast", "makeblastdb" },
	{ "ncbi-blast", "blast*" },
	{ "ncbi-blast", "tblast*" },
	{ "ncbi-blast", "makeblastdb" },
	{ "blast-plus", "blast*" },
	{ "blast-plus", "tblast*" },
	{ "blast-plus", "makeblastdb" },
	{ "htslib", "bgzip" },
	{ "htslib", "tabix" },
	{ "sratoolkit", "fast*q-dump" },
	{ "sratoolkit", "prefetch" },
	{ "sra-tools", "fast*q-dump" },
	{ "sra-tools", "prefetch" },
	{ "subread", "featurecounts" },
	{ "subread", "subread-*" },
	{ "gatk4", "gatk" },
	{ "gatk-package", "gatk" },
	{ "bedtools2", "bedtools" },
	{ "bowtie2", "bowtie2-*" },
	{ "hisat2", "hisat2-*" },
	{ "bcl2fastq2", "bcl2fastq" },
	{ "trim-galore", "trim_galore" },
	{ "hmmer", "hmm*" },
	{ "hmmer", "jackhmmer" },
	{ "meme", "fimo" },
	{ "viennarna", "rnafold" },
	{ "rsem", "rsem-*" },
	{ "kallisto-bustools", "kb" },
	{ "edirect", "esearch" },
	{ "entrez-direct", "esearch" },
	{ "mafft", "mafft-*" },
};

/* What a script's or a jar's file name ends in besides its name. */
static const char *const endings[] = { ".jar", ".py", ".pl", ".sh", ".r", NULL };

/* In small letters, cut at the room. */
static void lower(const char *from, size_t len, char ret[NAME_SIZE])
{
	size_t i = 0;

	for (; i < len && i + 1 < NAME_SIZE; i++)
		ret[i] = (char)tolower((unsigned char)from[i]);
	ret[i] = '\0';
}

static bool is_package_of(const char *package, const char *tool)
{
	if (strcmp(package, tool) == 0)
		return true;
	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++)
		if (strcmp(packages[i].package, package) == 0 &&
		    text_matches(packages[i].tool, tool))
			return true;
	return false;
}

/* How long a version is that text begins with: digits, a dot, and what follows; with a 'v' before
 * it that does not count. 0: none. */
static size_t version_len(const char **text, size_t len)
{
	const char *at = *text;
	size_t used = 0;

	if (len > 1 && (*at == 'v' || *at == 'V') && isdigit((unsigned char)at[1])) {
		at++;
		len--;
	}
	if (!len || !isdigit((unsigned char)*at))
		return 0;
	while (used < len &&
	       (isalnum((unsigned char)at[used]) || at[used] == '.' || at[used] == '+'))
		used++;
	while (used > 0 && at[used - 1] == '.')
		used--;
	if (used >= VERSION_SIZE || !memchr(at, '.', used))
		return 0;
	*text = at;
	return used;
}

static bool take(const char *text, size_t len, char ret[VERSION_SIZE])
{
	memcpy(ret, text, len);
	ret[len] = '\0';
	return true;
}

/* Nix and Guix put a hash before a package's name. */
static void skip_hash(const char **text, size_t *len)
{
	size_t hash = 0;

	while (hash < *len && isalnum((unsigned char)(*text)[hash]))
		hash++;
	if (hash != 32 || hash == *len || (*text)[hash] != '-')
		return;
	*text += hash + 1;
	*len -= hash + 1;
}

/* "samtools-1.17", "samtools-1.17-h00cdaf9_0", "salmon_1.10.0": of the tool's own package. */
static bool in_component(const char *text, size_t len, const char *tool, char ret[VERSION_SIZE])
{
	char name[NAME_SIZE];

	skip_hash(&text, &len);
	for (size_t i = 1; i + 1 < len; i++) {
		const char *version = text + i + 1;
		size_t found;

		if (text[i] != '-' && text[i] != '_')
			continue;
		found = version_len(&version, len - i - 1);
		if (!found)
			continue;
		lower(text, i, name);
		return is_package_of(name, tool) && take(version, found, ret);
	}
	return false;
}

struct piece {
	const char *text;
	size_t len;
};

static bool is_named(struct piece piece, const char *tool)
{
	char name[NAME_SIZE];

	lower(piece.text, piece.len, name);
	return is_package_of(name, tool);
}

/* The folders of a path, the innermost that says something. */
static bool in_folders(const char *path, const char *tool, char ret[VERSION_SIZE])
{
	const char *end = text_basename(path);
	struct piece inner = { 0 };

	while (end > path) {
		struct piece piece = { .text = end - 1 };
		const char *version = inner.text;
		size_t found;

		while (piece.text > path && piece.text[-1] != '/')
			piece.text--;
		piece.len = (size_t)(end - 1 - piece.text);
		if (in_component(piece.text, piece.len, tool, ret))
			return true;
		found = inner.len ? version_len(&version, inner.len) : 0;
		if (found && is_named(piece, tool))
			return take(version, found, ret);
		inner = piece;
		end = piece.text;
	}
	return false;
}

/* A file's name without what a script's ends in. */
static size_t stem_len(const char *base, bool *ret_jar)
{
	size_t len = strlen(base);

	*ret_jar = false;
	for (size_t i = 0; endings[i]; i++) {
		size_t ending = strlen(endings[i]);

		if (len <= ending || strncasecmp(base + len - ending, endings[i], ending) != 0)
			continue;
		*ret_jar = i == 0;
		return len - ending;
	}
	return len;
}

/* Whether a path is that of the tool's own file, and not of what it works on. */
static bool is_tools(const char *path, const char *tool, bool *ret_jar)
{
	const char *base = text_basename(path);
	size_t len = stem_len(base, ret_jar);
	char name[NAME_SIZE], ignored[VERSION_SIZE];

	lower(base, len, name);
	return is_package_of(name, tool) || is_package_of(tool, name) ||
	       (*ret_jar && in_component(base, len, tool, ignored));
}

/* What such a path says: a jar by its own name, else the folders, else "python3.11". */
static bool in_path(const char *path, const char *tool, bool jar, char ret[VERSION_SIZE])
{
	const char *base = text_basename(path), *digits = base + strlen("python");
	size_t found;

	if (jar && in_component(base, stem_len(base, &jar), tool, ret))
		return true;
	if (in_folders(path, tool, ret))
		return true;
	if (strcmp(tool, "python") != 0 || !text_starts_with(base, "python"))
		return false;
	found = version_len(&digits, strlen(digits));
	return found && take(digits, found, ret);
}

/* By its program, or by what that interpreter runs: the first that is the tool's file. */
static bool in_command(const struct version_query *query, const char *tool, char ret[VERSION_SIZE])
{
	size_t words = query->argc < WORDS_LOOKED_AT ? query->argc : WORDS_LOOKED_AT;
	bool jar;

	if (query->exe && is_tools(query->exe, tool, &jar))
		return in_path(query->exe, tool, jar, ret);
	for (size_t i = 0; i < words; i++)
		if (strchr(query->argv[i], '/') && is_tools(query->argv[i], tool, &jar))
			return in_path(query->argv[i], tool, jar, ret);
	return false;
}

/* "quay.io/biocontainers/samtools:1.17--h00cdaf9_0" */
static bool in_image(const char *image, const char *tool, char ret[VERSION_SIZE])
{
	const char *base = text_basename(image);
	size_t len = strcspn(base, ":@");
	const char *tag = base + len + 1;
	size_t found;

	if (base[len] != ':' || !is_named((struct piece){ base, len }, tool))
		return false;
	found = version_len(&tag, strcspn(tag, "@"));
	return found && take(tag, found, ret);
}

char *version_of(const struct version_query *query, char text[VERSION_SIZE])
{
	const char *called = query->tool ? query->tool : "";
	char tool[NAME_SIZE];
	bool jar;

	*text = '\0';
	lower(called, strcspn(called, " "), tool);
	tool[stem_len(tool, &jar)] = '\0';
	if (*tool && !in_command(query, tool, text) && query->image)
		(void)in_image(query->image, tool, text);
	return text;
}
