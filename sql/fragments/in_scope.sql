-- The object :id of the organization, and of the application of the key, unless
-- that is NULL (store/db/lookup.h).
 WHERE organization_id = :organization_id AND id = :id
   AND (:application_id::text IS NULL
        OR application_id = :application_id::text)
