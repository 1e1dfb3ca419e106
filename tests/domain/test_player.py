"""The ids of players and sites."""

from domain.player import is_site, issued_id


def test_a_player_whose_subject_ends_with_a_colon_is_no_site():
    assert is_site("club:")
    assert not is_site(issued_id("club", "ann:"))
    assert not is_site("club:ann")
