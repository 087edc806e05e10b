-- What tells records apart comes first: the columns before it are the same for
-- most of an organization's, and comparing them was most of an insertion.
ALTER TABLE idempotency_record
    DROP CONSTRAINT idempotency_record_pkey,
    ADD PRIMARY KEY (organization_id, key, application_id, route);
