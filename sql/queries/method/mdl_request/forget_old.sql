-- Leaves room for :id among the unanswered requests of its session: the newest
-- :kept stay.
@parameters organization_id, session_id, id, kept
DELETE FROM mdl_request
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND answered_at IS NULL
   AND id < (SELECT min(id)
               FROM (SELECT DISTINCT id
                       FROM mdl_request
                      WHERE organization_id = :organization_id
                        AND session_id = :session_id
                        AND answered_at IS NULL
                        AND id < :id
                      ORDER BY id DESC
                      LIMIT :kept::integer) newest)
