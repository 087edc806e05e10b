-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_organization_id, after_id, version, limit
SELECT organization_id, id, sealed_secret
  FROM webhook_endpoint
 WHERE (organization_id, id)
       > (:after_organization_id, :after_id)
   AND get_byte(sealed_secret, 0) <> :version::integer
 ORDER BY organization_id, id
 LIMIT :limit::integer
