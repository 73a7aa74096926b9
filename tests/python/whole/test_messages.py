# SPDX-License-Identifier: Apache-2.0
"""Each message that docs/messages.md shows is raised, to the letter."""

from __future__ import annotations

import pytest
from messages import MESSAGES, NAMES, Message

ALL = [message for group in MESSAGES.values() for message in group]


@pytest.mark.parametrize("message", ALL, ids=lambda message: message.code)
def test_the_message(message: Message) -> None:
    with pytest.raises(message.error) as caught:
        eval(message.code, dict(NAMES))
    assert type(caught.value) is message.error
    assert str(caught.value) == message.text
