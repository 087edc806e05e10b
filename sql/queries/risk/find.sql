@parameters organization_id, id, application_id
SELECT body
  FROM risk_assessment
 WHERE organization_id = :organization_id AND id = :id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
