-- SPDX-License-Identifier: Apache-2.0
-- What was concluded of a settled run: the document of this kind by this maker.
SELECT d.text FROM settled AS s JOIN settled_documents AS d USING (number)
WHERE s.run_id = $run AND d.kind = $kind AND d.maker = $maker;
