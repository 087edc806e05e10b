-- $3 is the application of the key, or NULL for an organization-wide key.
SELECT body
  FROM event
 WHERE organization_id = $1 AND id = $2
   AND ($3::text IS NULL OR application_id = $3::text)
