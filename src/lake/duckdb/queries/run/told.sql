-- SPDX-License-Identifier: Apache-2.0
-- Whether engines told anything of late: without, nothing needs to be linked.
SELECT count(*) > 0 AS told FROM told_runs WHERE created_at > now_at() - INTERVAL 7 DAY;
