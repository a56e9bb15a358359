-- SPDX-License-Identifier: Apache-2.0
-- Takes the batches of the ledger into ledger_ranges. Runs in the transaction of a batch, each time that many came.
CREATE OR REPLACE TEMP TABLE folded AS FROM stored_ranges;
DELETE FROM ledger_ranges;
INSERT INTO ledger_ranges BY NAME FROM folded;
DROP TABLE folded;
DELETE FROM ledger_folded;
INSERT INTO ledger_folded SELECT coalesce(max(batch_key), 0) FROM ledger;
