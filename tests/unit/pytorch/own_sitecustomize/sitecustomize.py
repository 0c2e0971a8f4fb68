"""The user's own, which must run as ever."""

OWN = "ran"
