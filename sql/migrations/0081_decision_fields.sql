-- What was read of a photographed document, for a reviewer. It is sealed under the data
-- key of the session, so it is unreadable once the evidence is purged.
ALTER TABLE decision_record ADD COLUMN fields bytea;
COMMENT ON COLUMN decision_record.fields IS
    'The document as read, sealed like a part of the evidence; NULL: nothing, or purged';
