@parameters id
DELETE FROM server_node WHERE id = :id::text
