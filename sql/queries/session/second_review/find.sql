@parameters organization_id, id
SELECT
@second_review_columns
  FROM second_review r
 WHERE r.organization_id = :organization_id AND
@second_review_of_id
