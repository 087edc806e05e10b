-- The lease time of an unleased shadow, for modules that do not know shadows.
                             THEN 9223372036854775807
