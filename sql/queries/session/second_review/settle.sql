-- Records which of two decisions is right. No row if they agree, or that was
-- recorded already.
@parameters organization_id, id, reviewer, decision, now
UPDATE second_review r
   SET settled_by = :reviewer::text,
       settled_decision = :decision::text,
       settled_at = :now::bigint
 WHERE r.organization_id = :organization_id AND
@second_review_of_id
   AND r.second_decision <> r.first_decision AND r.settled_at IS NULL
RETURNING
@second_review_columns
