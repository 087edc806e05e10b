-- The wallet has said that it gives nothing: that is told to whoever has sent it,
-- who is known by the code of the offer, and the request is open as it was.
@parameters organization_id, session_id, opening, reason
UPDATE mdl_request
   SET opening = NULL, offered = NULL, verdict = 'declined', reason = :reason
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND opening = :opening AND answered_at IS NULL
