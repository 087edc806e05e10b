-- The next entry of a session's reviews. The session is locked.
@parameters
    organization_id, session_id, id, action, actor, note, deadline_at,
    created_at
INSERT INTO review_entry (organization_id, session_id, number, id, action,
                          actor, note, deadline_at, created_at)
SELECT :organization_id::text, :session_id::text,
       1 + coalesce((SELECT max(number)
                       FROM review_entry
                      WHERE organization_id = :organization_id::text
                        AND session_id = :session_id::text), 0),
       :id::text, :action::text, :actor::text, :note::text,
       :deadline_at::bigint, :created_at::bigint
