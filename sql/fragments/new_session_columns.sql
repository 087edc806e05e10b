-- The columns that a new session has, in the order of session_columns.sql.
       organization_id, id, application_id, workflow_id, workflow_version_id,
       livemode, revision, status, type, methods, client_reference_id,
       return_url, cancel_url, metadata, user_message, created_at, updated_at,
       expires_at, age_tier, jurisdiction, jurisdiction_audit_declared,
       jurisdiction_audit_ip_derived, jurisdiction_audit_source,
       jurisdiction_audit_mismatch, compliance, runner, client_secret_digest,
       email_digest, phone_digest, verified_person_id, risk_tier
