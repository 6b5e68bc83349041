"""The lowest versions that are tested are those that pyproject allows."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOT_TESTED = {"bench"}


def pinned(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if line[:1] != "#")
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def required():
    extras = PROJECT["optional-dependencies"]
    tested = [text for name in extras.keys() - NOT_TESTED for text in extras[name]]
    for text in {*PROJECT["dependencies"], *tested}:
        requirement = Requirement(text)
        (limit,) = requirement.specifier
        assert limit.operator == ">="
        yield canonicalize_name(requirement.name), Version(limit.version)


def test_the_lowest_versions_are_the_floors():
    lowest = pinned("constraints-lowest.txt")
    assert {name: lowest.get(name) for name, _ in required()} == dict(required())


def test_the_usual_versions_are_at_least_the_floors():
    usual = pinned("constraints.txt")
    for name, floor in required():
        assert usual[name] >= floor
