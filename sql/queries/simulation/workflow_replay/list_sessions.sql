-- One page of the sessions of a job whose outcome differed, or perhaps did,
-- newest first.
@reversed list_sessions_newer
@parameters
    organization_id, replay_id, result,
    lower, upper,  -- lower <= id < upper
    limit
SELECT session_id, result, before, after, reason
  FROM workflow_replay_session
 WHERE organization_id = :organization_id AND replay_id = :replay_id
   AND result = :result
   AND session_id >= :lower::text AND session_id < :upper::text
 ORDER BY session_id DESC
 LIMIT :limit::integer
