@parameters id
SELECT second_review_percent
  FROM organization
 WHERE id = :id
