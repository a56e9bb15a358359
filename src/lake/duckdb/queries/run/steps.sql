-- SPDX-License-Identifier: Apache-2.0
-- The steps of a run, in the order of their start.
FROM steps_of($run);
