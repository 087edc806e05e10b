-- The persons who took part in the reviews of a session.
@parameters organization_id, session_id
SELECT
@second_review_involved
  FROM (SELECT :session_id::text COLLATE "C" AS session_id) about
