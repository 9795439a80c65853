/**
 * Tests of deploy/ and docs/. In: their files. Out: differences from the tools that read them and the
 * services that they describe.
 */
@NullMarked
package io.fundingobservatory.standalone.deployment;

import org.jspecify.annotations.NullMarked;
