# SPDX-License-Identifier: Apache-2.0
# A report is the input. $shape: report_shape.txt; $figures: the names behind @figures; $filled: lists that may not be empty.
# Gives what is wrong with it, each fault once.
def is($kind):
	if $kind | endswith("?") then . == null or is($kind[:-1])
	elif $kind == "text" then type == "string"
	elif $kind == "texts" then type == "array" and all(.[]; type == "string")
	elif $kind == "time" then
		type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$")
	elif $kind == "status" then IN("queued", "running", "succeeded", "failed", "killed", "stalled", "lost")
	else type == $kind end;
def objects_at($path): reduce ($path / ".")[] as $key ([.]; map(.[$key] | if type == "array" then .[] else . end)) | .[];
def rows: ($shape / "\n")[] | select(test("^[a-z]")) | [splits(" +")] |
	{ where: .[0], type: .[1], keys: [.[2:][] | if . == "@figures" then $figures[] else . end] };

. as $report | [
	($filled[] | select($report[.] | length == 0) | "no \(.)"),
	(rows as $row | $report | objects_at($row.where) | . as $object | $row.keys[] as $key |
		if ($object | type) != "object" then "no \($row.where)"
		elif $object | has($key) | not then "\($row.where) lacks \($key)"
		elif $object[$key] | is($row.type) | not then "\($row.where).\($key) is no \($row.type): \($object[$key])"
		else empty end)
] | unique[]
