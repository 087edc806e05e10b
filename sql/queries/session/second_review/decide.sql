-- Records the second decision. No row if there is one, or the time is over.
@parameters organization_id, id, reviewer, decision, reason, now
UPDATE second_review r
   SET second_reviewer = :reviewer::text,
       second_decision = :decision::text,
       second_reason = :reason::text,
       decided_at = :now::bigint
 WHERE r.organization_id = :organization_id AND
@second_review_of_id
   AND r.decided_at IS NULL AND r.lapsed_at IS NULL
   AND r.deadline_at > :now::bigint
RETURNING
@second_review_columns
