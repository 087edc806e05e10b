# The one place that names the version.
VERIFY_VERSION := 0.1.0
