-- SPDX-License-Identifier: Apache-2.0
-- Settled runs of which batches ($batches: a JSON array) say something without their id: what became known of their containers,
-- and what engines reported of them.
WITH came AS MATERIALIZED (
	SELECT unnest(TRY_CAST(TRY_CAST($batches::VARCHAR AS JSON)
		AS STRUCT(agent_id VARCHAR, boot_id VARCHAR, sequence BIGINT)[]), recursive := true)
)
SELECT s.run_id FROM settled AS s JOIN settled_cgroups AS g USING (number)
JOIN (FROM containers SEMI JOIN came USING (agent_id, boot_id, sequence)) AS c USING (host_id, boot_id, cgroup_id)
UNION SELECT l.run_id FROM run_links AS l JOIN (FROM told_runs SEMI JOIN came USING (agent_id, boot_id, sequence)) USING (told_id)
UNION SELECT l.run_id FROM run_links AS l JOIN (FROM told_tasks SEMI JOIN came USING (agent_id, boot_id, sequence)) USING (told_id)
UNION SELECT t.run_id FROM task_links AS l JOIN (FROM told_tasks SEMI JOIN came USING (agent_id, boot_id, sequence))
	USING (told_id, task) JOIN tasks AS t USING (task_id);
