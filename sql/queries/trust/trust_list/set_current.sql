@parameters
    organization_id, id,
    version_id,  -- NULL: the list is no longer used
    now
UPDATE trust_list
   SET current_version_id = :version_id::text, updated_at = :now::bigint
 WHERE organization_id = :organization_id AND id = :id
