-- SPDX-License-Identifier: Apache-2.0
-- Which runs and tasks are linked with reports of engines, before they are linked again: links_changed.sql compares.
CREATE OR REPLACE TEMP TABLE links_before AS
SELECT run_id, '' AS task_id, told_id, '' AS task FROM run_links
UNION ALL SELECT '', task_id, told_id, task FROM task_links;
