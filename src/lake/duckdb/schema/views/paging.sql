-- SPDX-License-Identifier: Apache-2.0
-- Paging: a cursor is "RANK ID" of the last row of a page; the next page follows by rank, then id.
CREATE OR REPLACE MACRO cursor_of(rank, id) AS rank || ' ' || id;
CREATE OR REPLACE MACRO cursor_rank(cursor) AS TRY_CAST(split_part(cursor, ' ', 1) AS BIGINT);
CREATE OR REPLACE MACRO cursor_id(cursor) AS substr(cursor, strpos(cursor, ' ') + 1);
CREATE OR REPLACE MACRO follows(cursor, rank, id) AS
	cursor IS NULL OR rank > cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id > cursor_id(cursor));
CREATE OR REPLACE MACRO follows_down(cursor, rank, id) AS
	cursor IS NULL OR rank < cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id < cursor_id(cursor));
