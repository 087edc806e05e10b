-- Gives back what node $1 had leased; $2 is now.
UPDATE outgoing_mail
   SET due_at = $2::bigint, leased_by = NULL
 WHERE leased_by = $1::text
