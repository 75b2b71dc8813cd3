"""Targets: one package a language. A target turns protocols and a plan into files."""
