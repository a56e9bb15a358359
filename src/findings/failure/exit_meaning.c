/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/exit_meaning.h"

#include <string.h>

#include "base/text.h"

/* Only what is documented, with the source. The program is argv[0] without folder and version. */
static const struct meaning {
	const char *program; /* of a tool or program; NULL: of any that has none of its own */
	int code;
	const char *words;
} meanings[] = {
	/* curl(1), EXIT CODES */
	{ "curl", 3, "the URL is malformed" },
	{ "curl", 6, "the host name was not resolved" },
	{ "curl", 7, "it failed to connect to the host" },
	{ "curl", 18, "only a part of the file was transferred" },
	{ "curl", 22, "the server answered with an error (400 or above)" },
	{ "curl", 23, "it could not write what it received" },
	{ "curl", 28, "it ran into its own time limit" },
	{ "curl", 35, "the TLS handshake failed" },
	{ "curl", 52, "the server sent nothing" },
	{ "curl", 56, "the connection failed while it received" },
	{ "curl", 60, "the certificate of the server was not accepted" },
	/* wget(1), EXIT STATUS */
	{ "wget", 1, "an error that has no code of its own" },
	{ "wget", 2, "its options or its configuration were not understood" },
	{ "wget", 3, "a file could not be written or read" },
	{ "wget", 4, "a failure of the network" },
	{ "wget", 5, "the certificate of the server was not accepted" },
	{ "wget", 6, "a user name or password was not accepted" },
	{ "wget", 8, "the server answered with an error" },
	/* GNU coreutils, timeout(1); ls(1); sort(1), cmp and diff: diffutils(1) */
	{ "timeout", 124, "the command ran into the time limit" },
	{ "timeout", 125, "timeout itself failed" },
	{ "ls", 2, "a file of its command line is not there, or is not allowed" },
	{ "sort", 2, "an error while it sorted" },
	{ "diff", 1, "the files differ" },
	{ "diff", 2, "trouble: a file is not there or cannot be read" },
	{ "cmp", 1, "the files differ" },
	{ "cmp", 2, "trouble: a file is not there or cannot be read" },
	/* grep(1), EXIT STATUS */
	{ "grep", 1, "no line matched" },
	{ "grep", 2, "an error: a file is not there, or the pattern is not valid" },
	/* tar(1), RETURN VALUE */
	{ "tar", 1, "files changed or differ" },
	{ "tar", 2, "a fatal error" },
	/* gzip(1), DIAGNOSTICS */
	{ "gzip", 1, "an error, such as a file that is not there or not in gzip format" },
	{ "gzip", 2, "a warning" },
	/* rsync(1), EXIT VALUES */
	{ "rsync", 23, "some files were not transferred because of an error" },
	{ "rsync", 24, "some files had vanished before they were transferred" },
	{ "rsync", 30, "it ran into its time limit while it sent or received" },
	/* ssh(1), EXIT STATUS */
	{ "ssh", 255, "ssh itself failed, not the command on the other host" },
	/* make(1), EXIT STATUS */
	{ "make", 2, "a recipe failed, or the makefile has an error" },
	/* Python: sys.exit and the interpreter's own end (docs, "sys.exit"); argparse: "exit with a
	 * status code of 2" */
	{ "python", 1, "Python ended by an exception that nothing caught, or by sys.exit(1)" },
	{ "python", 2,
	  "arguments that were not accepted (argparse), or a program file that could "
	  "not be opened" },
	{ "python", 120, "Python could not write the rest of its output when it ended" },
	/* perl: perldoc -f die, errno or 255 */
	{ "perl", 255, "perl ended by die, or the program did not compile" },
	/* Rscript: R-admin, quit(): "the error status is 1" for an error in a script */
	{ "Rscript", 1, "an error in R that nothing caught" },
	{ "R", 1, "an error in R that nothing caught" },
	/* java(1): an exception that nothing caught ends with 1 (JLS 12.8; the launcher) */
	{ "java", 1, "Java ended by an exception that nothing caught, or by its own decision" },
	/* GATK, Main.java: 1 an exception, 2 user error, 3 a picard or other exception, 4 */
	{ "gatk", 1, "a command line that was not accepted" },
	{ "gatk", 2, "an error that GATK blames on input or arguments (USER EXCEPTION)" },
	{ "gatk", 3, "an unexpected exception in GATK" },
	/* bash(1), EXIT STATUS; POSIX XCU 2.8.2 */
	{ NULL, 126, "a command was found and could not be run" },
	{ NULL, 127, "a command was not found" },
};

/* "python3.11" is python, and "samtools view" is samtools. */
static bool is_program(const char *name, const char *program)
{
	size_t len = strlen(program);

	if (strncmp(name, program, len) != 0)
		return false;
	name += len + strspn(name + len, "0123456789.");
	return *name == '\0' || *name == ' ';
}

static bool names(const struct meaning *meaning, const char *tool, const char *program)
{
	if (!meaning->program)
		return true;
	return is_program(tool, meaning->program) ||
	       is_program(text_basename(program), meaning->program);
}

const char *exit_meaning(const char *tool, const char *program, int code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].code == code && names(&meanings[i], tool, program))
			return meanings[i].words;
	return NULL;
}
