"""Warpwise as it is installed by pip: the command `warpwise`, and the course that it works on."""


def load_ipython_extension(shell):
    """`%load_ext warpwise` in a notebook."""
    from . import notebook  # needs IPython, which the command does without

    notebook.load(shell)
