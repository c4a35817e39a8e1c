"""Instances of task families: made from a seed, the same bytes every time, each proved before it is kept. A family says
what an instance is (`Family`); what is expected of it is recorded by running its reference in the sandbox; and the four checks
of `proofyard.checks` decide whether it stays.
"""

from proofyard.forge.family import Draft, Family, families, family_named
from proofyard.forge.filling import fill, template
from proofyard.forge.making import Instance, Made, MakeRequest, make

__all__ = ["Draft", "Family", "Instance", "Made", "MakeRequest", "families", "family_named", "fill", "make", "template"]
