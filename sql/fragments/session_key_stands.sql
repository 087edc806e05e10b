-- Whether the key and its organization are as expected. Each is looked up by
-- itself, which takes less than joining them.
   AND (SELECT
@key_as_expected
          FROM api_key k
         WHERE k.digest = :key_digest::bytea)
   AND (SELECT
@organization_as_expected
          FROM organization o
         WHERE o.id = :organization_id)
