/**
 * What flows through Kafka: the catalogue of topics, with the type of their values, and of the exchanges. In: the records' codecs. Out:
 * names, serializers and deserializers, and how long each topic is kept.
 *
 * <p>Teams that consume the topics depend on this one artifact: they write against this package, {@code records} and {@code
 * carry}. It needs kafka-clients and jackson-core only.
 */
@NullMarked
package io.fundingobservatory.topics;

import org.jspecify.annotations.NullMarked;
