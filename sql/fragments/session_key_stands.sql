-- Whether the key and its organization are as expected. Each is looked up
-- separately, which is faster than a join.
   AND (SELECT
@key_as_expected
          FROM api_key k
         WHERE k.digest = :key_digest::bytea)
   AND (SELECT
@organization_as_expected
          FROM organization o
         WHERE o.id = :organization_id)
