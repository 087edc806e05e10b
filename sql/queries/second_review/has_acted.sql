-- Whether somebody has done anything about a session's reviews.
@parameters organization_id, session_id, reviewer
SELECT EXISTS (
    SELECT FROM review_entry
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND lower(replace(actor, ' ', ''))
           = lower(replace(:reviewer::text, ' ', '')))
