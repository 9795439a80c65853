package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;

/** What an operator does where brokers have forgotten a transaction: aborts it on the partitions that the log of streams names. */
final class ForgottenTransactions {
    private static final String REPORTED = "a transaction stays open partitions=";
    private static final Pattern PARTITION = Pattern.compile("([\\w.-]+)-(\\d+)(?=[,\\]])");

    private ForgottenTransactions() {}

    /** Waits for such a line, and does what {@code kafka-transactions.sh abort} does. */
    static void abortWhenReported(Installation on, Duration patience) {
        try {
            if (Await.within(patience, () -> on.streams().hasLogged(REPORTED))) {
                String line = on.streams().lastLogged(REPORTED);
                var partitions = PARTITION.matcher(line.substring(line.indexOf(REPORTED) + REPORTED.length()));
                while (partitions.find()) {
                    abort(
                            on.kafka().admin(),
                            new TopicPartition(partitions.group(1), Integer.parseInt(partitions.group(2))));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void abort(Admin admin, TopicPartition partition) throws Exception {
        for (ProducerState producer : admin.describeProducers(java.util.List.of(partition))
                .partitionResult(partition)
                .get()
                .activeProducers()) {
            if (producer.currentTransactionStartOffset().isPresent()) {
                admin.abortTransaction(new AbortTransactionSpec(
                                partition,
                                producer.producerId(),
                                (short) producer.producerEpoch(),
                                producer.coordinatorEpoch().orElse(0)))
                        .all()
                        .get();
            }
        }
    }
}
