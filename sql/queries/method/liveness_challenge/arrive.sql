-- Records that the pictures of the step :step came; does nothing if that is not
-- the next step.
@parameters organization_id, session_id, id, step, arrived_at
UPDATE liveness_challenge
   SET arrived_at = arrived_at || :arrived_at::bigint
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id AND cardinality(arrived_at) = :step::integer - 1
