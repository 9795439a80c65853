/**
 * When an exchange is asked, and what is made of a round of answers. In: answers of the gate, and time. Out: a report for each poll, with
 * quotes, status and guards' decisions. No HTTP and no Kafka; time is handed in, so that hours are tested in milliseconds.
 */
@NullMarked
package io.fundingobservatory.ingest.polling;

import org.jspecify.annotations.NullMarked;
