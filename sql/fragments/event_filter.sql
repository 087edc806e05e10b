-- Ids from $2 on and before $3; NULL for the filters not given.
 WHERE organization_id = $1
   AND id >= $2::text AND id < $3::text
   AND ($5::text IS NULL OR type = $5::text)
   AND ($6::text IS NULL OR object_id = $6::text)
   AND ($7::text IS NULL OR application_id = $7::text)
