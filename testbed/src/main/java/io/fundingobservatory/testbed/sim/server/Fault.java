package io.fundingobservatory.testbed.sim.server;

/** A way in which an exchange fails, for every request to it until it is healed. */
public enum Fault {
    /** HTTP 200 with an HTML page: a firewall's, a maintenance page. */
    HTML_INSTEAD_OF_JSON,
    /** The connection is accepted and nothing is sent until the fault ends. */
    NO_RESPONSE
}
