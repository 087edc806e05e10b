-- The client that a browser or an application names.
@parameters id
SELECT
@oidc_client_columns
  FROM oidc_client c
 WHERE c.id = :id
