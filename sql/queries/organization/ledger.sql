-- The credits bought and spent, newest first, from the cursor $2 or NULL.
SELECT id, amount, balance, note, session_id, created_at
  FROM ledger_entry
 WHERE organization_id = $1 AND id < coalesce($2::text, 'led_~')
 ORDER BY id DESC
 LIMIT $3::integer
