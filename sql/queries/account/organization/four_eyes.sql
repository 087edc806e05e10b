@parameters id
SELECT four_eyes_publish, four_eyes_reject, four_eyes_erase
  FROM organization
 WHERE id = :id
