-- Certificates that signed evidence is checked against, as lists with versions.
-- Versions are never changed and never removed: decisions name them.
CREATE TABLE trust_list (
    organization_id    idv_id NOT NULL,
    id                 idv_id NOT NULL,
    kind               text NOT NULL CHECK (kind IN ('iaca', 'vical', 'etsi',
                                                     'csca', 'csca-master-list')),
    name               text NOT NULL,
    current_version_id idv_id,
    created_at         bigint NOT NULL,
    updated_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, kind, name)
);
CREATE UNIQUE INDEX trust_list_by_id ON trust_list (id);
CREATE TABLE trust_list_version (
    organization_id   idv_id NOT NULL,
    id                idv_id NOT NULL,
    trust_list_id     idv_id NOT NULL,
    source_digest     bytea NOT NULL CHECK (octet_length(source_digest) = 32),
    signer_digest     bytea CHECK (octet_length(signer_digest) = 32),
    sequence          bigint,
    issued_at         bigint,
    next_update_at    bigint,
    certificate_count integer NOT NULL CHECK (certificate_count > 0),
    passed_over       integer NOT NULL CHECK (passed_over >= 0),
    created_at        bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX trust_list_version_by_id ON trust_list_version (id);
CREATE INDEX trust_list_version_by_list
    ON trust_list_version (organization_id, trust_list_id, id);
CREATE TABLE trust_certificate (
    digest      bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    certificate bytea NOT NULL
);
CREATE TABLE trust_list_certificate (
    organization_id       idv_id NOT NULL,
    trust_list_version_id idv_id NOT NULL,
    position              integer NOT NULL,
    digest                bytea NOT NULL,
    is_signer             boolean NOT NULL,
    doc_types             text[] NOT NULL,
    PRIMARY KEY (organization_id, trust_list_version_id, position)
);
COMMENT ON TABLE trust_list IS
    'Lists of trusted certificates, and which version of each is in use.';
COMMENT ON COLUMN trust_list.organization_id IS 'Empty: for all organizations';
COMMENT ON COLUMN trust_list.current_version_id IS 'NULL: the list was removed';
COMMENT ON TABLE trust_list_version IS
    'What was imported when. Never changed.';
COMMENT ON COLUMN trust_list_version.source_digest IS
    'SHA-256 of the file; of several in a directory, of all their bytes';
COMMENT ON COLUMN trust_list_version.signer_digest IS
    'SHA-256 of the certificate whose key has signed it; NULL: it is not signed';
COMMENT ON COLUMN trust_list_version.passed_over IS
    'Entries of the file that are good for nothing here';
COMMENT ON TABLE trust_certificate IS
    'Certificates of all versions of all lists, each once, by their SHA-256.';
COMMENT ON TABLE trust_list_certificate IS
    'Which certificates a version holds, and for what.';
COMMENT ON COLUMN trust_list_certificate.doc_types IS
    'Types of documents that it may sign; empty: all';
