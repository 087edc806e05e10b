-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_organization_id, after_application_id, after_route, after_key, version, limit
SELECT organization_id, application_id, route, key, sealed_response
  FROM idempotency_record
 WHERE (organization_id, application_id, route, key)
       > (:after_organization_id, :after_application_id, :after_route, :after_key)
   AND get_byte(sealed_response, 0) <> :version::integer
 ORDER BY organization_id, application_id, route, key
 LIMIT :limit::integer
