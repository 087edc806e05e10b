-- What an organization makes of certificates that deviate from their profile in a way
-- that widens nobody's trust.
ALTER TABLE organization
    ADD COLUMN trust_policy text NOT NULL DEFAULT 'passed'
        CHECK (trust_policy IN ('passed', 'undetermined'));
COMMENT ON COLUMN organization.trust_policy IS
    'The result of evidence whose signer''s certificate deviates so';
