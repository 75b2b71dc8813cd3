"""Compares two schemas by what they mean on the wire and in the generated bindings."""
