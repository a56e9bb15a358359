-- SPDX-License-Identifier: Apache-2.0
-- Settled runs of which a batch ($agent, $boot, $sequence) says something without their id: what became known of their
-- containers, and what engines reported of them.
SELECT s.run_id FROM settled AS s JOIN settled_cgroups AS g USING (number)
JOIN containers AS c USING (host_id, boot_id, cgroup_id)
WHERE c.agent_id = $agent AND c.boot_id = $boot AND c.sequence = $sequence
UNION SELECT l.run_id FROM run_links AS l JOIN told_runs AS w USING (told_id)
WHERE w.agent_id = $agent AND w.boot_id = $boot AND w.sequence = $sequence
UNION SELECT l.run_id FROM run_links AS l JOIN told_tasks AS w USING (told_id)
WHERE w.agent_id = $agent AND w.boot_id = $boot AND w.sequence = $sequence
UNION SELECT t.run_id FROM task_links AS l JOIN told_tasks AS w USING (told_id, task) JOIN tasks AS t USING (task_id)
WHERE w.agent_id = $agent AND w.boot_id = $boot AND w.sequence = $sequence;
