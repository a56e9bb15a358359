# SPDX-License-Identifier: Apache-2.0
# Reads the tables of cases (README.md). Writes each case's script to FOLDER/NAME, without the tab at the beginning of its lines, and
# one line a case: name, interpreter, options, kind and tool of the cause, how many tools failed unnoticed, which failed processes
# are expected, which are to be shown; tabs between, "-" for nothing.
#
#     awk -v folder=FOLDER -f cases.awk *.cases

function flush_case() {
	if (name != "")
		print name, interpreter, options, kind, tool, failed, expected, shown
	if (script != "")
		close(script)
	name = ""
}
function fault(what) {
	printf "%s:%d: %s: %s\n", FILENAME, FNR, what, $0 >"/dev/stderr"
	failed_at = 1
	exit 1
}
function rest() { return substr($0, length($1) + 2) }

BEGIN { OFS = "\t" }
FNR == 1 {
	flush_case()
	interpreter = FILENAME
	sub(/.*\//, "", interpreter)
	sub(/\.cases$/, "", interpreter)
}
/^#/ || /^$/ { next }
/^\t/ {
	line = substr($0, 2)
	if (interpreter == "make")
		sub(/^>/, "\t", line)
	print line >script
	next
}
$1 == "case" {
	flush_case()
	name = $2
	if (name !~ /^[a-z0-9_]+$/ || name in seen)
		fault("no name of its own")
	seen[name] = 1
	options = kind = tool = expected = shown = "-"
	failed = 0
	script = folder "/" name
	printf "" >script
	next
}
$1 == "cause" { kind = $2; tool = NF > 2 ? substr($0, length($1 $2) + 3) : "-"; next }
$1 == "seen" { kind = $2; tool = substr($0, length($1 $2) + 3); next }
$1 == "options" { options = rest(); next }
$1 == "failed" { failed = $2; next }
$1 == "expected" { expected = rest(); next }
$1 == "shown" { shown = rest(); next }
{ fault("not a line of a case") }
END {
	if (failed_at)
		exit 1
	flush_case()
}
