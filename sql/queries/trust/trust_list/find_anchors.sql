-- The current versions of lists of some kinds that apply to an organization. Signers
-- that are pinned for a sandbox do not apply to any other organization.
@parameters organization_id, kinds
SELECT
@trust_version_columns
  FROM trust_list l
  JOIN trust_list_version v
    ON v.organization_id = l.organization_id AND v.id = l.current_version_id
 WHERE l.organization_id IN ('', :organization_id)
   AND l.kind = ANY (:kinds::text[])
   AND (l.kind <> 'sandbox-signer'
        OR EXISTS (SELECT FROM organization o
                    WHERE o.id = l.organization_id AND o.sandbox))
 ORDER BY v.id
