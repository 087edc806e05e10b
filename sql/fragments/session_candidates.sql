-- The sessions whose client reference ids have the trigrams of the text
-- :search: by one index, to whose entries nothing else leads, and no more of
-- them than are worth looking at. The index knows exactly who has them, so that
-- the limit holds for what is read, not for what remains of it.
--
-- Which trigrams a reference has around the text depends on what is beside it;
-- those that it has between other letters as well as without any belong to the
-- text. Each is one more list of the index to go through: eight tell apart what
-- can be told apart, first those that are not the edge of a word.
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
    SELECT id, status, client_reference_id, risk_tier
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
