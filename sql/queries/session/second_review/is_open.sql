-- Whether a session's evidence is kept for a second review.
@parameters organization_id, session_id
SELECT EXISTS (
    SELECT FROM second_review
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND decided_at IS NULL AND lapsed_at IS NULL)
