@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT body
  FROM event
 WHERE organization_id = :organization_id AND id = :id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
