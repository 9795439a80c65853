/** What stands in deploy/ and docs/, held against the tools that read it and the services that it describes. */
@NullMarked
package io.fundingobservatory.standalone.deployment;

import org.jspecify.annotations.NullMarked;
