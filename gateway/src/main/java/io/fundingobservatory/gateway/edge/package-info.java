/**
 * What stands before the HTTP codec of the public port. Connections and their bytes enter; whole, plainly written request headers
 * leave towards the framework's pipeline, and answers leave as fast as their client reads. Of that pipeline nothing is removed; its access
 * log is told what it may show, and behind it stands who takes the failures that nobody else took.
 */
@NullMarked
package io.fundingobservatory.gateway.edge;

import org.jspecify.annotations.NullMarked;
