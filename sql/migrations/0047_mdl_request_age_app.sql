-- Apps for proofs of age are asked by a link of their own.
ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_protocol_check,
    ADD CONSTRAINT mdl_request_protocol_check CHECK (protocol IN (
        'redirect', 'age_app', 'openid4vp-v1-signed', 'org-iso-mdoc'));
COMMENT ON COLUMN mdl_request.protocol IS
    'redirect, age_app (a link, too), or the protocol of the Digital Credentials '
    'API';
