-- Searching finds session ids by their beginnings, which the primary key knows;
-- nothing reads them backwards any more.
DROP INDEX verification_session_by_id_end;

-- The trigrams of client reference ids as a set: what has all of some trigrams is
-- known to this index alone, so that a search can count what it finds before it
-- reads a row. (The operators of pg_trgm leave that to the rows.) Organization and
-- application stand in it as expressions which no other index has: a search that
-- names them so is read by this index or not at all.
--
-- What is new waits in a list that every search reads whole, so it is short.
DROP INDEX verification_session_by_client_reference_part;
CREATE INDEX verification_session_by_client_reference_part
    ON verification_session
 USING gin ((organization_id || ''), (application_id || ''),
            show_trgm(client_reference_id))
  WITH (gin_pending_list_limit = 1024)
 WHERE client_reference_id IS NOT NULL;
