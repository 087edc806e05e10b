-- Another browser than the first one makes the giver unknown for good.
@parameters organization_id, session_id, giver
UPDATE verification_session
   SET giver = CASE WHEN giver IS NULL THEN :giver::bytea ELSE ''::bytea END
 WHERE organization_id = :organization_id AND id = :session_id
   AND giver IS DISTINCT FROM :giver::bytea
   AND giver IS DISTINCT FROM ''::bytea
