-- What Google Wallet shows about an organization, and requests under several
-- identities.
ALTER TABLE reader_identity ADD COLUMN metadata bytea;
COMMENT ON COLUMN reader_identity.metadata IS
    'CBOR for gw_rp_metadata_bytes in signed requests; NULL: none';
ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_protocol_check,
    ADD CONSTRAINT mdl_request_protocol_check CHECK (protocol IN (
        'redirect', 'age_app', 'openid4vp-v1-signed', 'openid4vp-v1-unsigned',
        'openid4vp-v1-multisigned', 'org-iso-mdoc'));
