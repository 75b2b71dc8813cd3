"""Methods named like builtins, keywords and the members that every interface has."""

import inspect
import keyword

EXPECTED = ("v1/agent.py", "v1/methods.py")


def check_signatures(pkg):
    for side in (pkg.v1.Agent, pkg.v1.ClientSideConnection):
        own = [name for name in vars(side) if not name.startswith("_")]
        assert len(own) == 6
        for name in own:
            assert not keyword.iskeyword(name)
            signature = inspect.signature(getattr(side, name), eval_str=True)
            assert signature.return_annotation.__name__.endswith("Response")


def check_inherited_members_stay(pkg):
    base = pkg.v1.Agent.__mro__[1]
    assert pkg.v1.Agent.ext_method is base.ext_method
