/**
 * What the services share at run time: access to brokers, creation and audit of topics, names of settings, a bound on repeated
 * warnings, common metrics. In: {@code observatory.kafka.*} and the catalogue. Out: configurations of clients; topics as catalogued, or
 * their differences.
 */
@NullMarked
package io.fundingobservatory.runtime;

import org.jspecify.annotations.NullMarked;
