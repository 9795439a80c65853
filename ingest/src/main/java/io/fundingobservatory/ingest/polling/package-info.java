/**
 * When an exchange is asked, how often, and what is made of a round of answers. No HTTP and no Kafka here; time is handed in, so
 * that hours are tested in milliseconds.
 */
@NullMarked
package io.fundingobservatory.ingest.polling;

import org.jspecify.annotations.NullMarked;
