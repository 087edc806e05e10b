-- The sessions whose client reference ids have the trigrams of the text
-- :search, found by one index that nothing else uses, and at most as many as
-- are worth examining. The index is exact, so that the limit applies to what is
-- read, not to what remains of it.
--
-- The trigrams of a reference around the text depend on the neighbouring
-- characters; those that occur both between other letters and alone belong to
-- the text. Each is one more list of the index to read. Eight distinguish
-- enough; those not at the edge of a word come first.
WITH trigram AS MATERIALIZED (
    SELECT array_agg(trigram) AS trigrams
      FROM (SELECT trigram
              FROM unnest(show_trgm(:search::text)) trigram
             WHERE trigram = ANY (show_trgm(
                       CASE WHEN char_length(:search::text) < 3
                            THEN '' ELSE 'a' END
                       || :search::text || 'a'))
               AND trigram = ANY (show_trgm(
                       CASE WHEN char_length(:search::text) < 3
                            THEN '' ELSE 'b' END
                       || :search::text || 'b'))
             ORDER BY trigram LIKE '% %', trigram
             LIMIT 8) chosen
), candidate AS MATERIALIZED (
    SELECT id, status, client_reference_id, risk_tier, workflow_id
      FROM verification_session
     WHERE organization_id || '' = :organization_id::text
       AND (:application_id::text IS NULL
            OR application_id || '' = :application_id::text)
       AND client_reference_id IS NOT NULL
       AND :client_reference_id::text IS NULL
       AND show_trgm(client_reference_id)
           @> (SELECT coalesce(trigrams, '{}') FROM trigram)
     LIMIT 5001
), many AS MATERIALIZED (
    SELECT :client_reference_id::text IS NOT NULL OR count(*) > 5000 AS are_many
      FROM candidate
