-- The next entry of a session's reviews. The session is locked.
INSERT INTO review_entry (organization_id, session_id, number, id, action,
                          actor, note, deadline_at, created_at)
SELECT $1::text, $2::text,
       1 + coalesce((SELECT max(number)
                       FROM review_entry
                      WHERE organization_id = $1::text
                        AND session_id = $2::text), 0),
       $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::bigint
