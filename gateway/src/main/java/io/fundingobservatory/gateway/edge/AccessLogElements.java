package io.fundingobservatory.gateway.edge;

import io.micronaut.http.server.netty.handler.accesslog.element.LogElement;
import io.micronaut.http.server.netty.handler.accesslog.element.LogElementBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What the framework's access log may show of a request: {@code %{client}P}, {@code %{method}P} and {@code %{path}P}. Loaded by the
 * framework as a service.
 */
public final class AccessLogElements implements LogElementBuilder {
    @Override
    public @Nullable LogElement build(String token, @Nullable String parameter) {
        if (!token.equals("P")) {
            return null;
        }
        return switch (parameter) {
            case "client" -> new MaskedLogElement(MaskedLogElement.Part.CLIENT);
            case "method" -> new MaskedLogElement(MaskedLogElement.Part.METHOD);
            case "path" -> new MaskedLogElement(MaskedLogElement.Part.PATH);
            case null, default -> null;
        };
    }
}
