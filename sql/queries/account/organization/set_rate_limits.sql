@parameters
    id,
    set_secret, secret,            -- whether it is set, and to what; NULL: the
    set_publishable, publishable,  -- server's
    updated_at
UPDATE organization
   SET rate_limit_secret = CASE WHEN :set_secret::boolean
                                THEN :secret::integer
                                ELSE rate_limit_secret END,
       rate_limit_publishable = CASE WHEN :set_publishable::boolean
                                     THEN :publishable::integer
                                     ELSE rate_limit_publishable END,
       updated_at = :updated_at::bigint
 WHERE id = :id
RETURNING
@organization_columns
