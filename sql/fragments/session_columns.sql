-- The columns of a session in the order of store/session/session_record.h.
       organization_id, id, application_id, workflow_id, workflow_version_id,
       livemode, revision, status, type, methods, current_method,
       client_reference_id, return_url, cancel_url, metadata, user_message,
       created_at, updated_at, expires_at, completed_at, cancelled_at,
       verification_path, active_device, device_locked_at, age_tier,
       jurisdiction, jurisdiction_audit_declared,
       jurisdiction_audit_ip_derived, jurisdiction_audit_source,
       jurisdiction_audit_mismatch, compliance, review_opened_at,
       review_deadline_at, verification_result, results, last_error, runner,
       client_secret_digest, email_digest, phone_digest, verified_person_id,
       risk_tier
