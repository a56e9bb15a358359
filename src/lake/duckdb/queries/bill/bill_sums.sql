-- SPDX-License-Identifier: Apache-2.0
-- The sum of each invoice of a file, and of those that were imported with it: rounded once, and exact as text.
WITH batch AS (
	SELECT bill_id FROM bills WHERE batch IN (SELECT batch FROM bills WHERE bill_id = $bill)
)
SELECT invoice_of(invoice_id, billing_account, period_since) AS invoice, currency, count(*) AS lines,
	nano(sum(billed)) AS billed_nusd, nano(sum(effective)) AS effective_nusd, sum(billed)::VARCHAR AS billed,
	sum(effective)::VARCHAR AS effective
FROM bill_lines_now SEMI JOIN batch USING (bill_id)
GROUP BY ALL ORDER BY invoice, currency;
