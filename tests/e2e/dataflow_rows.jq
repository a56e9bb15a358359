# SPDX-License-Identifier: Apache-2.0
# A report's dataflow as rows of text, to be held against a table of expected/: how many tasks of one step fed such of another.
(.tasks | map({ key: .id, value: .step }) | from_entries) as $step |
.dataflow.edges | group_by([$step[.from], $step[.to]])[] |
	["edge", $step[.[0].from], $step[.[0].to], "\(length) edges"] | join(" · ")
