-- Ids from :lower to before :upper; NULL for missing filters.
 WHERE organization_id = :organization_id
   AND id >= :lower::text AND id < :upper::text
   AND (:type::text IS NULL OR type = :type::text)
   AND (:object_id::text IS NULL OR object_id = :object_id::text)
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
