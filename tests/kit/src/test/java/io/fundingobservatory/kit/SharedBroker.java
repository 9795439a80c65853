package io.fundingobservatory.kit;

import io.fundingobservatory.testbed.broker.KafkaFixture;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One broker for all test classes of a process that are extended with this one; a method with a parameter {@link KafkaFixture} receives
 * it. Each class begins with the topics of the catalogue, empty, and without groups, whatever the class before has deleted or changed.
 *
 * <p>A class closes its clients and not the broker. A class that runs next to others, or stops its broker, starts one of its own.
 */
public final class SharedBroker implements BeforeAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace OWN = ExtensionContext.Namespace.create(SharedBroker.class);

    /** The broker, and whether a class has used it. */
    private static final class Broker implements AutoCloseable {
        private final KafkaFixture kafka = KafkaFixture.start();
        private boolean used;

        @Override
        public void close() {
            kafka.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Broker broker = broker(context);
        if (broker.used) {
            broker.kafka.clear();
        }
        broker.used = true;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KafkaFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return broker(context).kafka;
    }

    private static Broker broker(ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, OWN)
                .getOrComputeIfAbsent(Broker.class, key -> new Broker(), Broker.class);
    }
}
