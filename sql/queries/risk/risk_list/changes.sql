-- The newest changes of an organization's lists before the id :before.
@parameters
    organization_id,
    before,  -- '~': the newest
    limit
SELECT id, entry_id, action, kind, value, note, actor, created_at
  FROM risk_list_change
 WHERE organization_id = :organization_id
   AND id < :before
 ORDER BY id DESC
 LIMIT :limit::integer
