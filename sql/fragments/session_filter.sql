-- The filters of a list from $5 on, NULL for those not given. A search is
-- three patterns with their wildcards escaped: of client reference ids, of the
-- beginnings of ids and of their ends read backwards.
   AND ($5::text IS NULL OR status = $5::text)
   AND ($6::text IS NULL OR client_reference_id = $6::text)
   AND ($7::text IS NULL OR risk_tier = $7::text)
   AND ($8::text IS NULL OR client_reference_id ILIKE $8::text
        OR id LIKE $9::text OR reverse(id) LIKE $10::text)
