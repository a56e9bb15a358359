/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "signal/redact/redact.h"

/* Arguments are between bars. The tokens have the documented shapes and were never valid. */
#define GHP    "ghp_0123456789abcdefghijABCDEFGHIJ012345"
#define AWS    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
#define JWT    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9"
#define GOOGLE "AIzaSyA1234567890abcdefghijklmnopqrstuv"
#define PEM    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"

struct row {
	const char *args;
	const char *masked; /* NULL: nothing changes */
};

static const struct row rows[] = {
	/* options and their values */
	{ "tool|--password|hunter2", "tool|--password|***" },
	{ "tool|--password=hunter2", "tool|--password=***" },
	{ "tool|--password=a b;c,d", "tool|--password=***" },
	{ "tool|--password|", NULL },
	{ "tool|--password=", NULL },
	{ "tool|--password", NULL },
	{ "tool|--password|--user|x", NULL },
	{ "tool|--password|-v|in.bam", NULL },
	{ "tool|--password|-hunter2", "tool|--password|***" },
	{ "tool|-password|hunter2", "tool|-password|***" },
	{ "tool|--db-password|x|--out|y", "tool|--db-password|***|--out|y" },
	{ "tool|--dbPassword=x", "tool|--dbPassword=***" },
	{ "tool|--passphrase|open sesame", "tool|--passphrase|***" },
	{ "tool|--client-secret|abc", "tool|--client-secret|***" },
	{ "tool|--api-key|abc", "tool|--api-key|***" },
	{ "tool|--apikey=abc", "tool|--apikey=***" },
	{ "tool|--API_KEY=abc", "tool|--API_KEY=***" },
	{ "tool|--accessToken|abc", "tool|--accessToken|***" },
	{ "tool|--token|abc", "tool|--token|***" },
	{ "tool|--access-key|abc", "tool|--access-key|***" },
	{ "tool|--db-pass|abc", "tool|--db-pass|***" },
	{ "tool|--password1=x", "tool|--password1=***" },
	{ "tool|--password|***", NULL },
	{ "java|-Djavax.net.ssl.trustStorePassword=changeit|-jar|a.jar",
	  "java|-Djavax.net.ssl.trustStorePassword=***|-jar|a.jar" },
	{ "openssl|enc|-passin|pass:abc", "openssl|enc|-passin|***" },
	/* variables and settings */
	{ "env|PGPASSWORD=x|psql", "env|PGPASSWORD=***|psql" },
	{ "env|MYSQL_PWD=x", "env|MYSQL_PWD=***" },
	{ "env|AWS_SECRET_ACCESS_KEY=x", "env|AWS_SECRET_ACCESS_KEY=***" },
	{ "docker|run|-e|DB_PASSWORD=x y|img", "docker|run|-e|DB_PASSWORD=***|img" },
	{ "docker|build|--build-arg=NPM_TOKEN=x", "docker|build|--build-arg=NPM_TOKEN=***" },
	{ "tool|GITHUB_TOKEN_1=x", "tool|GITHUB_TOKEN_1=***" },
	{ "tool|Server=db;Password=x y;Database=z", "tool|Server=db;Password=*** y;Database=z" },
	{ "tool|AccountName=a;AccountKey=abc==;End=b", "tool|AccountName=a;AccountKey=***;End=b" },
	{ "tool|{\"user\":\"a\",\"password\":\"x\\n\"}",
	  "tool|{\"user\":\"a\",\"password\":\"***\"}" },
	{ "tool|{\\\"api_key\\\": \\\"x\\\"}", "tool|{\\\"api_key\\\": \\\"***\\\"}" },
	{ "tool|password: hunter2", "tool|password: ***" },
	{ "tool|-o|password = x", "tool|-o|password = ***" },
	/* scripts */
	{ "sh|-c|export DB_PASSWORD=x; run", "sh|-c|export DB_PASSWORD=***; run" },
	{ "sh|-c|tool --password x --out y", "sh|-c|tool --password *** --out y" },
	{ "sh|-c|tool --password 'a b' --out y", "sh|-c|tool --password '***' --out y" },
	{ "sh|-c|TOKEN='a b' run", "sh|-c|TOKEN='***' run" },
	{ "sh|-c|tool --token $TOKEN", NULL },
	{ "sh|-c|tool --token ${TOKEN} x", NULL },
	{ "sh|-c|PASSWORD=$PASSWORD", NULL },
	/* commands within a script */
	{ "bash|-c|PASSWORD=a,b]c run; ls", "bash|-c|PASSWORD=*** run; ls" },
	{ "bash|-c|curl -s -u user:pass3 https://x", "bash|-c|curl -s -u *** https://x" },
	{ "sh|-c|sshpass -p foo ssh h", "sh|-c|sshpass -p *** ssh h" },
	{ "/bin/bash|-c|set -euo pipefail; curl -u 'a:b c' u > o",
	  "/bin/bash|-c|set -euo pipefail; curl -u '***' u > o" },
	{ "bash|-euo|pipefail|-c|mysql -pfoo db", "bash|-euo|pipefail|-c|mysql -p*** db" },
	{ "bash|-lc|x=$(/opt/a/long/way/to/the/bin/curl -ua:b u)",
	  "bash|-lc|x=$(/opt/a/long/way/to/the/bin/curl -u*** u)" },
	{ "dash|-ec|cd /d && sudo -n curl\t-u  a:b u",
	  "dash|-ec|cd /d && sudo -n curl\t-u  *** u" },
	{ "sh|-c|a\nunzip -P \"x y\" z.zip\nb", "sh|-c|a\nunzip -P \"***\" z.zip\nb" },
	{ "sh|-c|sshpass -p 'un closed", "sh|-c|sshpass -p ***" },
	{ "sh|-c|PASSWORD=x; run --out y", "sh|-c|PASSWORD=***; run --out y" },
	{ "sh|-c|curl -u $USER:x u; curl -u a:b u", "sh|-c|curl -u *** u; curl -u *** u" },
	{ "sh|-c|curl -u $AUTH u", NULL },
	{ "python|-c|curl -u a:b", NULL },
	{ "sh|-c|curl -s u; samtools sort -u in.bam; mkdir -p out", NULL },
	{ "sh|-c|mysql -p db; sort -u a & tool -p 8", NULL },
	{ "bash|-c|set -euo pipefail; bwa mem -t 8 -R '@RG\\tID:s' r.fa a.fq > a.sam", NULL },
	{ "bash|-c|awk -F'\\t' '{ if ($1 > 5) { print $2; n++ } }' a.tsv", NULL },
	{ "bash|-c|Rscript -e 'x <- c(1, 2); print(x)' && fastp -p 8 -w 4", NULL },
	{ "bash|-c|echo 'open", NULL },
	/* headers */
	{ "curl|-H|Authorization: Bearer abc.def", "curl|-H|Authorization: Bearer ***" },
	{ "curl|-H|authorization: basic dXNlcg==", "curl|-H|authorization: basic ***" },
	{ "curl|-H|X-Api-Key: abc", "curl|-H|X-Api-Key: ***" },
	{ "curl|-H|Cookie: session=abc; b=c", "curl|-H|Cookie: ***" },
	{ "sh|-c|curl -H 'Authorization: Bearer abc' u",
	  "sh|-c|curl -H 'Authorization: Bearer ***' u" },
	{ "tool|bearer 0123456789abcdef", "tool|bearer ***" },
	{ "curl|-H|Accept: text/html", NULL },
	/* options that are secrets to one command */
	{ "curl|-u|me:x|url", "curl|-u|***|url" },
	{ "sudo|-n|/usr/bin/curl|--user|me:x", "sudo|-n|/usr/bin/curl|--user|***" },
	{ "mysql|-px|-u|me", "mysql|-p***|-u|me" },
	{ "sshpass|-p|x|ssh|host", "sshpass|-p|***|ssh|host" },
	{ "unzip|-P|x|a.zip", "unzip|-P|***|a.zip" },
	{ "docker|login|-u|me|-p|x|quay.io", "docker|login|-u|me|-p|***|quay.io" },
	{ "mysql|-p|db", NULL },
	{ "samtools|sort|-u|in.bam", NULL },
	{ "tool|-p|no", NULL },
	{ "mkdir|-p|/data/out", NULL },
	{ "docker|run|-p|8080:80|img", NULL },
	/* URLs */
	{ "git|clone|https://me:x@github.com/a/b", "git|clone|https://***@github.com/a/b" },
	{ "git|clone|https://" GHP "@github.com/a", "git|clone|https://***@github.com/a" },
	{ "psql|postgresql://me:p/w@db:5432/x", "psql|postgresql://***@db:5432/x" },
	{ "psql|postgresql://me:p@w@db/x", "psql|postgresql://***@db/x" },
	{ "sh|-c|wget ftp://a:b@h/f && ls", "sh|-c|wget ftp://***@h/f && ls" },
	{ "curl|https://h/a?x=1&token=abc&y=2", "curl|https://h/a?x=1&token=***&y=2" },
	{ "curl|https://h/a?X-Amz-Signature=abc&X-Amz-Date=1",
	  "curl|https://h/a?X-Amz-Signature=***&X-Amz-Date=1" },
	{ "az|https://a.blob/c?sv=2021&sig=abc%3D", "az|https://a.blob/c?sv=2021&sig=***" },
	{ "git|clone|ssh://git@github.com/a/b", NULL },
	{ "git|clone|git@github.com:a/b.git", NULL },
	{ "curl|http://localhost:8080/a@b", NULL },
	{ "curl|http://[::1]:80/a@b", NULL },
	{ "docker|pull|docker://quay.io/biocontainers/samtools@sha256:0123abcd", NULL },
	{ "aws|s3|cp|s3://bucket/a@b/c.bam|.", NULL },
	/* shapes */
	{ "tool|aB3/dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7", "tool|***" },
	{ "tool|" GHP, "tool|***" },
	{ "tool|x=" GHP ",y", "tool|x=***,y" },
	{ "tool|github_pat_11ABCDEFG0123456789_abc", "tool|***" },
	{ "tool|glpat-0123456789abcdefABCD", "tool|***" },
	{ "tool|xoxb-123456789012-abcdefABCDEF", "tool|***" },
	{ "tool|npm_0123456789abcdefghijABCDEFGHIJ012345", "tool|***" },
	{ "tool|sk-proj-aB3dE5gH7jK9mN1pQ3sT", "tool|***" },
	{ "tool|sk_live_0123456789abcdefABCD", "tool|***" },
	{ "tool|" GOOGLE, "tool|***" },
	{ "tool|AKIAIOSFODNN7EXAMPLE", "tool|***" },
	{ "tool|" AWS, "tool|***" },
	{ "aws|configure|set|x|" AWS, "aws|configure|set|x|***" },
	{ "tool|" JWT, "tool|***" },
	{ "tool|a " JWT " b", "tool|a *** b" },
	{ "tool|" PEM, "tool|***" },
	{ "tool|x" PEM "y", "tool|x***y" },
	{ "tool|-----BEGIN PRIVATE KEY-----\nMII", "tool|***" },
	/* what science writes */
	{ "samtools|sort|-@|4|-o|out.bam|in.bam", NULL },
	{ "bwa|mem|-R|@RG\\tID:s1\\tSM:NA12878\\tPL:ILLUMINA|ref.fa|a.fq", NULL },
	{ "bcftools|view|-i|FILTER=\"PASS\" && INFO/DP>10", NULL },
	{ "bcftools|filter|-i|PASS=1", NULL },
	{ "tool|--token-length|3", NULL },
	{ "tool|--max-tokens=4096", NULL },
	{ "tool|--token|3", NULL },
	{ "tool|--tokenizer|/models/bert", NULL },
	{ "tool|--key-file|/etc/key.pem", NULL },
	{ "tool|--token-file|/run/token", NULL },
	{ "tool|--password-file=/run/pw", NULL },
	{ "tool|--private-key|/home/a/.ssh/id_rsa", NULL },
	{ "env|GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp.json", NULL },
	{ "sort|--key=2,2|-k|1,1|table.tsv", NULL },
	{ "sort|--key|2", NULL },
	{ "join|--join-key|sample_id", NULL },
	{ "tool|--primary-key|id", NULL },
	{ "psql|--no-password|mydb", NULL },
	{ "ffmpeg|-pass|1|-i|a.mp4", NULL },
	{ "STAR|--twopassMode|Basic", NULL },
	{ "tool|--pass|filtered.vcf", NULL },
	{ "env|PWD=/home/me|OLDPWD=/", NULL },
	{ "tool|d41d8cd98f00b204e9800998ecf8427e", NULL },
	{ "git|checkout|da39a3ee5e6b4b0d3255bfef95601890afd80709", NULL },
	{ "sha256sum|e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", NULL },
	{ "tool|ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT", NULL },
	{ "tool|acgtACGTacgtACGTacgtACGTacgtACGTacgtACGT", NULL },
	{ "tool|MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQARLTKAM", NULL },
	{ "tool|results/Sample1/Aligned/Sorted/Markdup01", NULL },
	{ "tool|/data/R1C1/S2L0/Na12Cd/Hg00Xy/x1Y2/aBcD1", NULL },
	{ "tool|AKIAIOSFODNN7EXAMPLEX", NULL },
	{ "tool|550e8400-e29b-41d4-a716-446655440000", NULL },
	{ "tool|SK-MEL-28_rep1|sk-mel-28-Treated-rep1-sorted-Markdup", NULL },
	{ "tool|ASIAN_COHORT_2024|AKIA", NULL },
	{ "tool|GSM1234567_SRR12345678_1.fastq.gz", NULL },
	{ "tool|eyJ.not.jwt|hf_model-base-uncased-finetuned-v2-large-set", NULL },
	{ "tool|myorg/token:latest|vault-secret:1.2", NULL },
	{ "awk|$1 == token { print token }|f", NULL },
	{ "tool|chr1:100-200|rs6025:A>G", NULL },
	{ "tool|-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----", NULL },
	{ "sourmash|compare|--signature|a.sig|sig=3", NULL },
};

static size_t split(char *text, const char *args[16])
{
	size_t count = 0;

	for (char *arg; (arg = strsep(&text, "|"));)
		args[count++] = arg;
	return count;
}

/* The masked arguments, between bars again. */
static size_t mask(const char *args_text, struct buffer *out)
{
	char copy[1024];
	const char *args[16];
	size_t changed;

	snprintf(copy, sizeof(copy), "%s", args_text);
	changed = redact_argv(args, split(copy, args), out);
	assert_false(out->failed);
	for (size_t i = 0; i + 1 < out->len; i++) {
		if (!out->data[i])
			out->data[i] = '|';
	}
	return changed;
}

static bool row_holds(const struct row *row)
{
	CLEANUP(buffer_clear) struct buffer out;
	const char *expected = row->masked ? row->masked : row->args;
	size_t changed;

	buffer_init(&out, 0);
	changed = mask(row->args, &out);
	if (!strcmp(out.data, expected) && (changed > 0) == (row->masked != NULL))
		return true;
	print_error("expected: %s\n     got: %s\n", expected, out.data);
	return false;
}

static void secrets_are_masked_and_science_is_not(void **state)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		wrong += !row_holds(&rows[i]);
	assert_int_equal(wrong, 0);
}

static void masking_twice_is_masking_once(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(buffer_clear) struct buffer once, twice;

		buffer_init(&once, 0);
		buffer_init(&twice, 0);
		mask(rows[i].args, &once);
		mask(once.data, &twice);
		assert_string_equal(twice.data, once.data);
	}
}

static void every_argument_ends_in_a_nul_also_an_empty_one(void **state)
{
	const char *const args[] = { "tool", "", "--password", "x", "" };
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	assert_int_equal(redact_argv(args, 5, &out), 1);
	assert_int_equal(out.len, sizeof("tool\0\0--password\0***\0"));
	assert_memory_equal(out.data, "tool\0\0--password\0***\0", out.len);
}

static void no_arguments_are_no_output(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	assert_int_equal(redact_argv(NULL, 0, &out), 0);
	assert_int_equal(out.len, 0);
}

static void a_text_is_masked_by_the_same_rules_and_not_terminated(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	assert_true(redact_text("/data/token=abc/x " GHP, &out));
	assert_string_equal(out.data, "/data/token=*** ***");
	buffer_reset(&out);
	assert_false(redact_text("/data/run 1/sample.bam", &out));
	assert_string_equal(out.data, "/data/run 1/sample.bam");
	assert_int_equal(out.len, 22);
}

static void bytes_that_are_no_text_pass_unharmed(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	assert_false(redact_text("\xff\xfe\x80 a\n\x01", &out));
	assert_string_equal(out.data, "\xff\xfe\x80 a\n\x01");
}

/* The largest argument vector that the kernel side sends, made to be slow. Where each name looks
 * for its value's end, this takes 30 times as long. */
static void hostile_arguments_of_32_kib_are_read_to_their_end(void **state)
{
	static const char *const patterns[] = { "cookie: /", "://a:b/",    "eyJa.",   "sk-aB3",
						"token=",    "password: ", "a=\"",    "-----BEGIN ",
						"curl -u ",  "curl -ux;",  "Bearer ", "-a ",
						"x  =  ",    "key=",       "pw=",     "SG.",
						"pass=/",    "echo a|",    "key: a ", "PASSWORD '",
						"token={",   "/t/",        "value=",  "https:/a" };
	static char text[32769];

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		CLEANUP(buffer_clear) struct buffer out;
		size_t len = strlen(patterns[i]);

		for (size_t at = 0; at < sizeof(text) - 1; at++)
			text[at] = patterns[i][at % len];
		buffer_init(&out, 0);
		redact_text(text, &out);
		redact_argv((const char *const[]){ "sh", "-c", text }, 3, &out);
		redact_argv((const char *const[]){ "python", "-c", text }, 3, &out);
		assert_false(out.failed);
		assert_true(out.len > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_masked_and_science_is_not),
		cmocka_unit_test(masking_twice_is_masking_once),
		cmocka_unit_test(every_argument_ends_in_a_nul_also_an_empty_one),
		cmocka_unit_test(no_arguments_are_no_output),
		cmocka_unit_test(a_text_is_masked_by_the_same_rules_and_not_terminated),
		cmocka_unit_test(bytes_that_are_no_text_pass_unharmed),
		cmocka_unit_test(hostile_arguments_of_32_kib_are_read_to_their_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
