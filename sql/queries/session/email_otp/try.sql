-- The code of a session is typed once more, unless that was done :limit times.
@parameters organization_id, session_id, limit
UPDATE email_otp
   SET tries = tries + 1
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND tries < :limit::integer
