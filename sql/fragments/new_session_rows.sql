-- Those of new_session_columns.sql that are arrays.
       id, client_reference_id, return_url, cancel_url, metadata, user_message,
       created_at, updated_at, expires_at, jurisdiction,
       jurisdiction_audit_declared, jurisdiction_audit_ip_derived,
       jurisdiction_audit_source, jurisdiction_audit_mismatch, compliance,
       runner, client_secret_digest, email_digest, phone_digest,
       verified_person_id, risk_tier
