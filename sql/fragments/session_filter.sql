-- The filters of a list from $5 on, NULL for those not given.
   AND ($5::text IS NULL OR status = $5::text)
   AND ($6::text IS NULL OR client_reference_id = $6::text)
   AND ($7::text IS NULL OR risk_tier = $7::text)
