EXPECTED = ("v1.py",)

"""What a malformed value of a field reads as."""

import pytest
from pydantic import ValidationError


def check_it_reads_as_the_value(package):
    found = package.v1.Hello.model_validate({"version": "2024-11-05", "loud": "very"})
    assert (found.version, found.loud) == (1, False)
    assert package.v1.Hello(version=2).version == 2


def check_it_must_still_be_there_and_others_do_not_change(package):
    with pytest.raises(ValidationError):
        package.v1.Hello.model_validate({})
    with pytest.raises(ValidationError):
        package.v1.Reply.model_validate({"version": "2024-11-05"})
