"""Names of methods and sides: the rule, and the exceptions of names.toml."""

EXPECTED = ("v1/worker.py", "v1/models_side.py", "v1/methods.py")


def check_it(pkg):
    v1 = pkg.v1
    assert v1.WORKER_METHODS["a/b.c-d"].name == "begin"
    assert v1.WORKER_METHODS["stop"].name == "http_stop"
    assert hasattr(v1.Shovel, "begin") and hasattr(v1.Shovel, "http_stop")
    assert hasattr(v1.ShovelCalls, "begin")
    [method] = v1.MODELS_METHODS.values()
    assert method.name.isidentifier() and hasattr(v1.Models, method.name)
