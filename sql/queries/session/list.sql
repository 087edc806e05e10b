-- One page, newest first; $2 is the cursor or NULL.
SELECT
@session_columns
@session_page
 LIMIT $3::integer
