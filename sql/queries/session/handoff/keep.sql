-- Updates the handoff to the state of its session: whether the phone has it,
-- and whether a link is valid.
@parameters organization_id, session_id, held, offered, idle_at
UPDATE handoff
   SET held = :held::boolean,
       idle_at = CASE WHEN :held::boolean THEN :idle_at::bigint
                      ELSE idle_at END,
       token_digest = CASE WHEN :offered::boolean THEN token_digest END
 WHERE organization_id = :organization_id AND session_id = :session_id
