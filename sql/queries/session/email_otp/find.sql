@parameters organization_id, session_id
SELECT address_digest, seed, tries, sent_at, expires_at
  FROM email_otp
 WHERE organization_id = :organization_id AND session_id = :session_id
