-- What each table holds, for whoever looks at a database (psql: \d+), as of
-- this version; the migrations before say what was meant when. And what the
-- code takes for granted of rows that are written seldom; hot ones are checked
-- by domains alone (0009).

COMMENT ON TABLE organization IS
    'Customers. A sandbox is never billed and has a quota instead.';
COMMENT ON COLUMN organization.free_allotment IS
    'Verifications a calendar month (UTC) that cost no credit';
COMMENT ON COLUMN organization.credit_balance IS
    'Sum of the amounts in ledger_entry; may fall below 0 by sessions under way';
COMMENT ON TABLE application IS
    'Parts of an organization; keys and objects may belong to one alone.';
COMMENT ON TABLE api_key IS
    'API keys by their SHA-256; the texts are not kept.';
COMMENT ON COLUMN api_key.application_id IS 'NULL: organization-wide';
COMMENT ON TABLE workflow IS
    'Workflows, and which version new sessions begin with.';
COMMENT ON TABLE workflow_version IS
    'What was published, as given and compiled. Never changed.';

COMMENT ON TABLE verification_session IS
    'Verification sessions. Changed by store/session_transition alone.';
COMMENT ON COLUMN verification_session.revision IS
    'Rises with every change, for those who wait for one';
COMMENT ON COLUMN verification_session.runner IS
    'Where the workflow stands, and what has no column (domain/session.h)';
COMMENT ON COLUMN verification_session.client_secret_digest IS
    'SHA-256 of the client secret';
COMMENT ON COLUMN verification_session.email_digest IS
    'HMAC of the normalized address under a key of the server';
COMMENT ON COLUMN verification_session.phone_digest IS
    'HMAC of the normalized number under a key of the server';
COMMENT ON TABLE session_data_key IS
    'The key that seals a session''s evidence, sealed by the master key. '
    'Without its row no copy of the evidence can be opened.';
COMMENT ON TABLE evidence IS
    'Images of sessions that are under way, sealed; gone when they end.';
COMMENT ON TABLE analysis_job IS
    'Submissions that wait for their analysis.';
COMMENT ON COLUMN analysis_job.due_at IS
    'When to try; while leased_by names a node, the end of its lease';

COMMENT ON TABLE event IS
    'Events; body is the exact text that is signed and sent.';
COMMENT ON COLUMN event.webhook_endpoint_id IS
    'Of a test event: the only endpoint that gets it';
COMMENT ON TABLE webhook_endpoint IS
    'Receivers of events. The signing secret is sealed.';
COMMENT ON COLUMN webhook_endpoint.consecutive_failures IS
    'Attempts since the last answer of 2xx';
COMMENT ON TABLE webhook_delivery IS
    'One row for an event and an endpoint: entry of the queue while pending, '
    'then the record of its last attempt. Its id begins with the time of the '
    'event and follows from the pair.';
COMMENT ON COLUMN webhook_delivery.attempt IS 'Attempts made';
COMMENT ON COLUMN webhook_delivery.leased_by IS
    'Process that makes an attempt now; worthless after leased_until';
COMMENT ON TABLE webhook_recovery IS
    'Jobs that queue again what an endpoint has missed between two times.';
COMMENT ON COLUMN webhook_recovery.position IS
    'Id of the last event that was looked at; last_position is where it ends';
COMMENT ON TABLE idempotency_record IS
    'Answers to writes with an idempotency key, sealed, written with the write.';
COMMENT ON COLUMN idempotency_record.application_id IS
    'Empty for an organization-wide key';

COMMENT ON TABLE verified_person IS
    'Persons, of whom nothing is known but what refers to them.';
COMMENT ON TABLE person_identifier IS
    'E-mail addresses and phone numbers of persons, as HMACs.';
COMMENT ON TABLE credential IS
    'What a verified session proved, for reuse until it expires.';
COMMENT ON COLUMN credential.verified_person_id IS
    'NULL: no identifier was given, known by its token alone';
COMMENT ON COLUMN credential.hash_digest IS
    'SHA-256 of the credential_hash that results show';
COMMENT ON TABLE vp_token IS
    'Tokens of credentials by their SHA-256; the server''s key makes the texts.';
COMMENT ON TABLE reuse_attempt IS
    'When reuse was tried for an identifier, or in a session, in the window.';
COMMENT ON TABLE person_erasure IS
    'What remains of an erased person: when, and how much was erased.';
COMMENT ON TABLE trust_reuse_settings IS
    'What applications accept of other organizations; no row: the defaults.';
COMMENT ON TABLE shared_credential IS
    'Credentials whose persons share them, by the HMAC of each identifier: the '
    'one table that is looked up across organizations.';
COMMENT ON TABLE trust_reuse_grant IS
    'Credentials of a source organization that another one has accepted.';
COMMENT ON COLUMN trust_reuse_grant.organization_id IS 'The accepting one';
COMMENT ON COLUMN trust_reuse_grant.verified_person_id IS
    'Of the source organization';

COMMENT ON TABLE monthly_usage IS
    'Verifications of a calendar month, counted in their transaction.';
COMMENT ON COLUMN monthly_usage.month IS 'Year * 100 + month, UTC';
COMMENT ON COLUMN monthly_usage.charged IS
    'How many of them took a credit';
COMMENT ON TABLE ledger_entry IS
    'Credits bought and spent; balance is what was left after it.';
COMMENT ON TABLE risk_assessment IS
    'Risk assessments as they were answered; they hold no identifier.';
COMMENT ON TABLE risk_observation IS
    'Which identifiers, as HMACs, were assessed when.';
COMMENT ON TABLE outgoing_mail IS
    'E-mail that waits to be sent, sealed under a key of its own.';
COMMENT ON TABLE schema_migration IS
    'Which files of sql/migrations were applied.';

ALTER TABLE api_key
    ADD CHECK (octet_length(digest) = 32);
ALTER TABLE analysis_job
    ADD CHECK (attempts >= 0),
    ADD CHECK (submission > 0);
ALTER TABLE outgoing_mail
    ADD CHECK (attempts >= 0);
ALTER TABLE webhook_recovery
    ADD CHECK (since_at < until_at),
    ADD CHECK ((status = 'running') = (finished_at IS NULL));
ALTER TABLE trust_reuse_settings
    ADD CHECK (max_age_days > 0);
ALTER TABLE trust_reuse_grant
    ADD CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL)),
    ADD CHECK (revoked_reason IN ('USER_REVOKED', 'USER_REVOKED_CONSENT',
                                  'ERASURE_REQUEST', 'TARGET_OPERATOR_REVOKED',
                                  'SOURCE_CREDENTIAL_REVOKED'));
