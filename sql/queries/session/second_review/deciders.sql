-- The persons who flagged, decided, escalated or ended the reviews of a
-- session.
@parameters organization_id, session_id
SELECT ARRAY(SELECT e.actor
               FROM review_entry e
              WHERE e.organization_id = :organization_id
                AND e.session_id = :session_id AND e.actor IS NOT NULL)
