-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_organization_id, after_id, version, limit
SELECT organization_id, webhook_endpoint_id, sealed_secret
  FROM webhook_overlap
 WHERE (organization_id, webhook_endpoint_id)
       > (:after_organization_id, :after_id)
   AND get_byte(sealed_secret, 0) <> :version::integer
 ORDER BY organization_id, webhook_endpoint_id
 LIMIT :limit::integer
