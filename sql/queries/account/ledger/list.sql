-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    before,  -- a position, only those before it; NULL: all
    after,   -- a position, only those behind it; NULL: all
    limit
SELECT id, kind, verifications, month, amount, balance, note, session_id,
       created_at
  FROM ledger_entry
 WHERE organization_id = :organization_id
   AND position < coalesce(:before::bigint, 9223372036854775807)
   AND position > coalesce(:after::bigint, 0)
 ORDER BY position DESC
 LIMIT :limit::integer
