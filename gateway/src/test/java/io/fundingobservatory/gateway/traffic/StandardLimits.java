package io.fundingobservatory.gateway.traffic;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.ConversionService;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** The limits that hold where the operator sets none. */
public final class StandardLimits {
    public static final Limits STANDARD = ofDefaults();

    private StandardLimits() {}

    private static Limits ofDefaults() {
        RecordComponent[] settings = GatewaySettings.Traffic.class.getRecordComponents();
        try {
            return ((GatewaySettings.Traffic) GatewaySettings.Traffic.class.getDeclaredConstructors()[0].newInstance(
                            Arrays.stream(settings)
                                    .map(StandardLimits::byDefault)
                                    .toArray()))
                    .limits();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The default of a setting; null where it has none. */
    public static Object byDefault(RecordComponent setting) {
        Bindable bound = setting.getAccessor().getAnnotation(Bindable.class);
        return bound == null ? null : ConversionService.SHARED.convertRequired(bound.defaultValue(), setting.getType());
    }
}
