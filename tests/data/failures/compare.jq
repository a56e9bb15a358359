# SPDX-License-Identifier: Apache-2.0
# Compares what the lake says of the recordings (NAME.findings.json and NAME.events.json of each case) with the labels
# ($labels, of cases.awk). One line a difference; nothing if there is none.

# Of docs/findings.md, Why it failed.
def kinds: ("out_of_memory", "crash", "killed", "time_limit", "spot_interruption", "stopped_by_engine", "disk_full", "io_error", "file_missing",
	"permission_denied", "command_not_found", "name_not_resolved", "connection_failed", "broken_pipe", "output_missing", "exit_code",
	"masked_failure", "retried", "unknown_failure");
def words: if . == "-" then [] else split(", ") end;
# One entry a process that failed: its tool, and whether that is expected.
def processes: [.events[] | select(.kind | IN("exit_failed", "killed", "oom_kill", "exec_failed"))]
	| group_by([.pid, .start_ns]) | map({ tool: (.[0].summary | sub(" \\(pid .*"; "")), expected: (map(.expected) | all) });
def tools(wanted): map(select(.expected == wanted).tool) | sort;
def difference(what; shown; wanted): if shown == wanted then empty else "\(what): \(shown | tojson), not \(wanted | tojson)" end;

($labels | rtrimstr("\n") | split("\n") | map(split("\t") | { key: .[0], value: . }) | from_entries) as $label_of
| reduce (inputs | { name: (input_filename | sub(".*/"; "") | sub("\\..*"; "")), answer: . }) as $one ({};
	.[$one.name] += [$one.answer])
| to_entries[]
| .key as $name | (.value | add) as $answer | $label_of[$name] as [$_, $interpreter, $options, $kind, $tool, $failed, $expected, $shown]
| ($answer.findings | map(select(.kind | IN(kinds)))[0]) as $first
| ($answer | processes) as $processes
| [
	difference("cause"; $first.kind // "none"; $kind),
	if $kind == "none" then empty else difference("tool"; $first.evidence.tool // "-"; $tool) end,
	if $failed == "0" and $kind != "none" then empty else difference("failed"; $answer.verdict.failed_tools // 0 | tostring; $failed) end,
	if $expected == "*" then empty else difference("expected"; $processes | tools(true); $expected | words | sort) end,
	if $expected == "*" and $shown == "-" and $kind != "none" then empty
	else difference("shown"; $processes | tools(false); $shown | words | sort) end
] | select(length > 0) | "\($name): \(join("; "))"
