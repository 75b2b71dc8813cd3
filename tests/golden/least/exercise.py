"""The least schema there can be: no object, no method."""

from mini import refused, same


def check_it(pkg):
    same(pkg.v1, "Word", "w")
    refused(pkg.v1, "Word", 1)
