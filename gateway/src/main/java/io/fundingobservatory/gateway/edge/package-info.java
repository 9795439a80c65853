/**
 * The guards of the public port, around the framework's HTTP codec. In: connections and their bytes. Out: whole, plainly written request
 * headers towards the framework, and responses as fast as their client reads them. Nothing is removed from the framework's pipeline.
 */
@NullMarked
package io.fundingobservatory.gateway.edge;

import org.jspecify.annotations.NullMarked;
