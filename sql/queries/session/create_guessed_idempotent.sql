-- Like create_guessed, with the stored answer of an idempotent request. Waits
-- for another request with the same key; when any record is there, valid or
-- not, nothing is written and there is no row.
WITH reached AS MATERIALIZED (
@session_reached
), kept AS (
    INSERT INTO idempotency_record (organization_id, application_id, route, key,
                                    request_digest, status, sealed_response,
                                    created_at)
    SELECT $1::text, coalesce($3::text, ''), $59::text, $60::text, $61::bytea,
           $62::integer, $63::bytea, $17::bigint
     WHERE (SELECT o.sandbox = $51::boolean
               AND (o.billing_status = 'suspended') = $52::boolean
               AND (o.publishable_session_create = 'blocked') = $53::boolean
               AND (coalesce(u.verifications, 0) < $57::integer) = $56::boolean
               AND $58::boolean =
@organization_can_pay
              FROM organization o
              LEFT JOIN monthly_usage u
                ON u.organization_id = o.id AND u.month = $54::integer
             WHERE o.id = $1)
@session_guess
    ON CONFLICT DO NOTHING
    RETURNING key
), session AS (
    INSERT INTO verification_session (
@session_columns
    )
    SELECT
@session_values
      FROM kept
    RETURNING organization_id, id, application_id, created_at
@session_announced
