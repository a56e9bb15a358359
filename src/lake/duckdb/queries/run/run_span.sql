-- From when to when a run was, by its id; until now, while it runs.
FROM span_of($run);
