-- Counts one more try of a session's code, unless there were :limit.
@parameters organization_id, session_id, limit
UPDATE email_otp
   SET tries = tries + 1
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND tries < :limit::integer
