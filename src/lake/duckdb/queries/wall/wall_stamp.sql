-- SPDX-License-Identifier: Apache-2.0
-- A number that changes when the wall time of a run may change.
FROM wall_stamp_of($run);
