package io.fundingobservatory.ingest.publish;

import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * Failures after which an idempotent producer takes no more records. It lost its sequence or its identity,
 * may not write idempotently, or uses a protocol that the broker does not support. All other failures may
 * pass.
 */
final class FatalProducerFailure {
    private FatalProducerFailure() {}

    static boolean is(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApplicationRecoverableException
                    || cause instanceof ClusterAuthorizationException
                    || cause instanceof OutOfOrderSequenceException
                    || cause instanceof ProducerFencedException
                    || cause instanceof UnsupportedVersionException) {
                return true;
            }
        }
        return false;
    }
}
