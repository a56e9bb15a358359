-- SPDX-License-Identifier: Apache-2.0
-- Removes what is stored of the settled run with the number in the variable `settled`.
DELETE FROM run_costs WHERE run_id IN (
	SELECT run_id FROM settled JOIN settled_documents USING (number) WHERE number = getvariable('settled') AND kind = 'cost');
INSERT INTO run_costs
SELECT run_id, text FROM settled JOIN settled_documents USING (number) WHERE number = getvariable('settled') AND kind = 'cost';
DELETE FROM settled WHERE number = getvariable('settled');
DELETE FROM settled_cgroups WHERE number = getvariable('settled');
DELETE FROM settled_documents WHERE number = getvariable('settled');
DELETE FROM settled_intervals WHERE number = getvariable('settled');
DELETE FROM settled_runs WHERE number = getvariable('settled');
DELETE FROM settled_shares WHERE number = getvariable('settled');
DELETE FROM settled_steps WHERE number = getvariable('settled');
DELETE FROM settled_tasks WHERE number = getvariable('settled');
DELETE FROM settled_task_facts WHERE number = getvariable('settled');
DELETE FROM settled_signatures WHERE number = getvariable('settled');
DELETE FROM settled_folders WHERE number = getvariable('settled');
DELETE FROM settled_holds WHERE number = getvariable('settled');
DELETE FROM settled_tools WHERE number = getvariable('settled');
DELETE FROM settled_work WHERE number = getvariable('settled');
DELETE FROM settled_series WHERE number = getvariable('settled');
DELETE FROM settled_edges WHERE number = getvariable('settled');
DELETE FROM settled_flow_tasks WHERE number = getvariable('settled');
DELETE FROM settled_activity WHERE number = getvariable('settled');
DELETE FROM settled_activity_runs WHERE number = getvariable('settled');
DELETE FROM settled_activity_used WHERE number = getvariable('settled');
