-- Records that the wallet declined. Its sender, identified by the code of the
-- offer, is told so, and the request remains open.
@parameters organization_id, session_id, opening, reason
UPDATE mdl_request
   SET opening = NULL, offered = NULL, verdict = 'declined', reason = :reason
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND opening = :opening AND answered_at IS NULL
