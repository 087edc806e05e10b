# The version is set only here. t/meta/version.t finds pages that name another one.
VERIFY_VERSION := 0.9.0
