-- Waits until no page of the organization's sessions is being removed, and
-- prevents removals until the end of this transaction
-- (retention/remove_sessions.sql).
@parameters organization_id
SELECT pg_advisory_xact_lock(
         hashtextextended('removal of ' || :organization_id::text, 0))
