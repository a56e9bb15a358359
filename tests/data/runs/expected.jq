# What a replayed run must show, whenever and wherever: who it was, all totals, its steps and how its tasks ended.
{
	run: (.run | { name, pipeline, engine, status, user }),
	totals: .totals,
	steps: ([.steps[] | { name, tasks, failed, user_ns, kernel_ns, rss_peak_bytes }] | sort_by(.name)),
	tasks: ([.tasks[] | .status] | group_by(.) | map({ (.[0]): length }) | add),
	tools: ([.tools[] | { name, executions }] | sort_by(.name)),
	processes: (.processes | length),
	events: ([.events[] | .kind] | group_by(.) | map({ (.[0]): length }) | add),
	findings: ([.findings[] | .kind] | sort)
}
