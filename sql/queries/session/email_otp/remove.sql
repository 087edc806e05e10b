@parameters organization_id, session_id
DELETE FROM email_otp
 WHERE organization_id = :organization_id AND session_id = :session_id
