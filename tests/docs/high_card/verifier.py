def high_card(table, event, dealer):
    if event["type"] == "dealt":
        cards = dealer().shuffled(sorted(table["deck"]["numbers"]))
        cut = 4 * table["seats"]
        table["hands"] = [cards[i : i + 4] for i in range(0, cut, 4)]
        return {"hands": [list(hand) for hand in table["hands"]], "draw": cards[cut:]}
    if event["type"] == "played":
        return {"card": table["hands"][event["seat"]].pop(event["slot"])}
    return {}


TABLE["high_card/1"] = {  # noqa: F821
    "seats": (2, 4),
    "events": roles(deal="dealt", own="played", then="turn_began round_scored won"),  # noqa: F821
    "moves": {"play": ("slot", {"played": {"slot": "$slot"}})},
    "acting": roles(seat="turn_began"),  # noqa: F821
    "result": highest_wins,  # noqa: F821
    "hidden": {"dealt": {"hands": 2, "draw": 1}},
    "follow": high_card,
}
