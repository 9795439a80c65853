/** A real Kafka broker inside this process, and the broker that tests run against. */
@NullMarked
package io.fundingobservatory.testbed;

import org.jspecify.annotations.NullMarked;
