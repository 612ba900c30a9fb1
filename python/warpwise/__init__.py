"""Warpwise as it is installed by pip: the command `warpwise`, and the course that it works on."""
