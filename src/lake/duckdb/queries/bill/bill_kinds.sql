-- SPDX-License-Identifier: Apache-2.0
-- What each invoice of a file, and of those that were imported with it, is for, in whole nano-dollars of its currency: by the kind of
-- its lines. Of compute: with and without the name of an instance. What is not used of a commitment is a kind of its own; of lines of
-- commitments and of others the difference of billed and effective is apart. Lines of files that were replaced are left out.
WITH batch AS (
	SELECT bill_id FROM bills WHERE batch IN (SELECT batch FROM bills WHERE bill_id = $bill)
)
SELECT invoice_of(invoice_id, billing_account, period_since) AS invoice, invoice_id <> '' AS final, currency, kind,
	CASE WHEN kind IN ('other', 'support') THEN service ELSE '' END AS service, commitment_id <> '' AS committed,
	kind = 'compute' AND instance_id <> '' AS of_instance, min(charge_since) AS since_at, max(charge_until) AS until_at,
	count(*) AS lines, nano(sum(billed)) AS billed_nusd, nano(sum(effective)) AS effective_nusd
FROM bill_lines_now SEMI JOIN batch USING (bill_id)
GROUP BY ALL ORDER BY invoice, currency, kind, service, committed, of_instance;
