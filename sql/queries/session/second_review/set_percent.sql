@parameters id, percent, now
UPDATE organization
   SET second_review_percent = :percent::integer,
       updated_at = :now::bigint
 WHERE id = :id
RETURNING second_review_percent
