/** What is answered, decided purely: no Kafka, no HTTP server, no clock. Times come in as arguments, answers go out as bytes. */
@NullMarked
package io.fundingobservatory.gateway.core;

import org.jspecify.annotations.NullMarked;
