/**
 * Everything that flows through Kafka: the topic catalogue, the records, their JSON codecs and JSON Schemas.
 *
 * <p>Teams that consume the topics depend on this one artifact. It needs kafka-clients and jackson-core only.
 */
@NullMarked
package io.fundingobservatory.topics;

import org.jspecify.annotations.NullMarked;
