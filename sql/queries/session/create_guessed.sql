-- Like create, in the same moment in which all that was taken for granted is
-- looked at; when anything is different, nothing is written and there is no row.
WITH reached AS MATERIALIZED (
@session_reached
), session AS (
    INSERT INTO verification_session (
@session_columns
    )
    SELECT
@session_values
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
    RETURNING organization_id, id, application_id, created_at
@session_announced
