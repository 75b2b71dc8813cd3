EXPECTED = ("v1.py",)

"""Types that contain themselves, in a module that is loaded by path."""

import importlib.util

VALUE = {"kids": [{"c": "node", "kids": [{"c": "leaf", "text": "t"}]}], "up": {"kids": []}}


def _tried(v1):
    node = v1.Node.model_validate(VALUE)
    assert node.model_dump(exclude_unset=True) == VALUE
    assert type(node.kids[0].kids[0]) is v1.LeafChild
    assert v1.Owner().node == v1.Node()
    owner = v1.Owner.model_validate({"list": VALUE["kids"]})
    assert isinstance(owner.list[0], v1.Node)


def check_they_nest(package):
    _tried(package.v1)


def check_they_nest_when_loaded_by_path(package):
    spec = importlib.util.spec_from_file_location("nesting_by_path", package.v1.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _tried(module)
