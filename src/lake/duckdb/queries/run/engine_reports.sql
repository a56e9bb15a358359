-- SPDX-License-Identifier: Apache-2.0
-- Whether an engine reported anything within the last week: otherwise no report has to be linked to a run.
SELECT count(*) > 0 AS reported FROM told_runs WHERE created_at > now_at() - INTERVAL 7 DAY;
