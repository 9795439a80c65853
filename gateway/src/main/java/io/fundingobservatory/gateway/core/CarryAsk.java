package io.fundingobservatory.gateway.core;

import java.util.List;

/** What may be asked of the pair ranking. */
final class CarryAsk {
    static final List<String> PARAMETERS = List.of("assets", "venues", "limit");

    private CarryAsk() {}
}
