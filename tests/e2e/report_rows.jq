# SPDX-License-Identifier: Apache-2.0
# A report's run, steps, tasks and tools as rows of text, to be held against the tables of expected/.
def shown: if . == null or . == "" then "-" else tostring end;
def row: map(shown) | join(" · ");

(["run", .run.engine, .run.pipeline, .run.status] | row),
(.steps[] | ["step", .name, "\(.tasks) tasks", "\(.failed) failed"] | row),
(.tasks[] | ["task", .step, .sample, .status, (if .exit_code != null then "exit \(.exit_code)" else "signal \(.signal)" end),
	"attempt \(.attempt // 1)"] | row),
(.tools[] | ["tool", .name] | row)
