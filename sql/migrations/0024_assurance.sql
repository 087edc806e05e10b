-- What the evidence of a credential was worth. Codes of photographed documents
-- were all that verified anybody before: `decoded`. The column gets its type
-- before the domain gets its constraint, so that the table is not written anew.
CREATE DOMAIN assurance AS text;
ALTER TABLE credential ADD COLUMN assurance assurance NOT NULL DEFAULT 'decoded';
ALTER DOMAIN assurance ADD CHECK (
    VALUE IN ('decoded', 'consistent', 'signed', 'signed_and_present'));
COMMENT ON COLUMN credential.assurance IS
    'What the evidence was worth; reuse satisfies no workflow that demands more';
