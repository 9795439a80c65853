package io.fundingobservatory.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.TreeMap;

/** An API client of a proxy. It compares each response with the description of the interface. */
final class ProxyClient implements AutoCloseable {
    private final HttpClient http;
    private final String base;

    private ProxyClient(HttpClient http, String base) {
        this.http = http;
        this.base = base;
    }

    static ProxyClient plain(Nginx nginx) {
        return new ProxyClient(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                "http://127.0.0.1:" + nginx.port());
    }

    static ProxyClient tls(Nginx nginx) throws GeneralSecurityException {
        return new ProxyClient(
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .sslContext(Tls.trustingAnybody())
                        .build(),
                "https://127.0.0.1:" + nginx.tlsPort());
    }

    HttpResponse<byte[]> get(String address, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(base + address));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<byte[]> response;
        try {
            response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().keySet().forEach(name -> fields.put(name, Responses.header(response, name)));
        // What a proxy adds.
        List.of(":status", "Server", "X-Cache-Status").forEach(fields::remove);
        Described.check("GET", address, response.statusCode(), fields, response.body());
        return response;
    }

    /** The body of a list. */
    JsonNode list(String address, String... headers) {
        HttpResponse<byte[]> response = get(address, headers);
        assertEquals(200, response.statusCode(), address);
        return Responses.json(response);
    }

    @Override
    public void close() {
        http.close();
    }
}
