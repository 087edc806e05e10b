-- Like create, but verifies in the same statement all facts that were taken
-- from the cache; if any differs, nothing is written and there is no row.
@parameters
    @session_columns,
    answer, answer_version,
    event_id, event_type, event_body, event_trace,
    @expected_key,
    @expected_standing
WITH endpoint AS MATERIALIZED (
@enabled_endpoints
), session AS (
@session_inserted
     WHERE
@session_guess
    RETURNING organization_id, id, application_id, created_at
@session_announced
