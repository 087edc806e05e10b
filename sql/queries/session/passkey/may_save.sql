-- Whether the browser may save a passkey of the session. In a sandbox, a session
-- can be verified without evidence.
@parameters organization_id, session_id, giver
SELECT coalesce(octet_length(giver) > 0 AND giver = :giver::bytea,
                giver IS NULL AND NOT livemode)
  FROM verification_session
 WHERE organization_id = :organization_id AND id = :session_id
