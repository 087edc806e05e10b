@parameters id
SELECT four_eyes_publish, four_eyes_reject
  FROM organization
 WHERE id = :id
