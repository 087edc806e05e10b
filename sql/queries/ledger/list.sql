-- Newest first, those before the position $2 or NULL.
SELECT id, kind, verifications, month, amount, balance, note, session_id,
       created_at
  FROM ledger_entry
 WHERE organization_id = $1
   AND position < coalesce($2::bigint, 9223372036854775807)
 ORDER BY position DESC
 LIMIT $3::integer
