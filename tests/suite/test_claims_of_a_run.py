"""Published averages that a run is compared with."""

from __future__ import annotations

from pytest_beir.configuration.config import Config
from pytest_beir.suite.assembly import _claims


def test_a_suite_without_an_average_refuses_a_figure_without_its_set_all_the_same() -> None:
    config = Config.model_validate(
        {
            "average": {
                "compare_to": [
                    {"name": "leaflet", "value": 0.46},
                    {"name": "other", "set": "no-such-set", "value": 0.46},
                    {"name": "paper", "set": "public-13", "value": 0.46},
                ]
            }
        }
    )
    judged = [
        (retriever, claim.name, claim.status) for retriever, claim in _claims(config, ["r"], ())
    ]
    assert judged == [
        ("r", "leaflet", "refused"),
        ("r", "other", "refused"),
        ("r", "paper", "withheld"),
    ]
