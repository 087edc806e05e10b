-- What a search finds by indexes, by patterns: of client reference ids, of the
-- beginnings of ids and of their ends read backwards.
   AND (client_reference_id ILIKE $8::text
        OR id LIKE $9::text OR reverse(id) LIKE $10::text)
