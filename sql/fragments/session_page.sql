-- All of an organization's sessions older than $2, or all; the end of a page.
  FROM verification_session
 WHERE organization_id = $1 AND id < coalesce($2::text, 'vks_~')
 ORDER BY id DESC
