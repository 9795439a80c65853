/**
 * What stands before the HTTP codec of the public port. Connections and their bytes enter; whole, plainly written request headers
 * leave towards the framework's pipeline, and answers leave as fast as their client reads; behind it stands who takes the failures that
 * nobody else took. Nothing of that pipeline is removed.
 */
@NullMarked
package io.fundingobservatory.gateway.port;

import org.jspecify.annotations.NullMarked;
