/** Load runs. In: a gateway in a process of its own. Out: printed measurements, each next to its limit; nothing is asserted. */
package io.fundingobservatory.gateway.load;
