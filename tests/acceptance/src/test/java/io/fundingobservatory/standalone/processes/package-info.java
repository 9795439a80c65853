/** Services and the whole program as they are packaged, one process each. In: jars, simulated exchanges. Out: what they serve, take and outlive. */
package io.fundingobservatory.standalone.processes;
