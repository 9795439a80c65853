/**
 * How services reach the brokers: settings, the creation of topics, a bound on repeated warnings. In: {@code observatory.kafka.*} and the
 * catalogue. Out: configurations of clients, and topics as the catalogue says, or what differs. Who only reads topics needs none of it.
 */
@NullMarked
package io.fundingobservatory.topics.kafka;

import org.jspecify.annotations.NullMarked;
