-- Like create, in the same moment in which all that was taken for granted is
-- looked at; when anything is different, nothing is written and there is no
-- row.
WITH reached AS MATERIALIZED (
@session_reached
), session AS (
@session_inserted
     WHERE
@session_guess
    RETURNING organization_id, id, application_id, created_at
@session_announced
