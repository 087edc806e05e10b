-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    before,  -- only entries before this position; NULL: all
    after,   -- only entries after this position; NULL: all
    limit
SELECT id, kind, verifications, month, amount, balance, note, session_id,
       created_at
  FROM ledger_entry
 WHERE organization_id = :organization_id
   AND position < coalesce(:before::bigint, 9223372036854775807)
   AND position > coalesce(:after::bigint, 0)
 ORDER BY position DESC
 LIMIT :limit::integer
