-- A wallet may say that it gives nothing, and verifiers without an identity ask
-- unsigned over the Digital Credentials API.
ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_verdict_check,
    ADD CONSTRAINT mdl_request_verdict_check
        CHECK (verdict IN ('accepted', 'refused', 'declined'));
ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_protocol_check,
    ADD CONSTRAINT mdl_request_protocol_check CHECK (protocol IN (
        'redirect', 'age_app', 'openid4vp-v1-signed', 'openid4vp-v1-unsigned',
        'org-iso-mdoc'));
COMMENT ON COLUMN mdl_request.verdict IS
    'What the wallet is told: accepted or refused, or that its decline of the last '
    'offer is known; NULL: not known yet';
COMMENT ON COLUMN mdl_request.reason IS
    'Code of the first thing that is wrong with a refused answer, or why the wallet '
    'gives nothing';
