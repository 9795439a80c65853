/**
 * Effects of clients on the public port, well-behaved or not, over plain connections, TLS and HTTP/2. In:
 * bytes and connections. Out: what became of them.
 */
package io.fundingobservatory.gateway.clients;
