-- Until when a shadow is leased that nobody has, for modules that know of no
-- shadows.
                             THEN 9223372036854775807
