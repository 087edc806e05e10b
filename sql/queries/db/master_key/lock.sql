-- Serializes changes of versions. Nodes go on reading them meanwhile.
SELECT id FROM master_key ORDER BY id FOR NO KEY UPDATE
