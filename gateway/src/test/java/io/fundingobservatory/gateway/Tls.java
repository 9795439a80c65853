package io.fundingobservatory.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A certificate of one's own, and clients that take any. */
final class Tls {
    private static final String PASSWORD = "changeit";

    private Tls() {}

    /** Puts a new key and certificate into the file, at once. */
    static void certificate(Path file, String commonName) {
        try {
            make(file, commonName);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void make(Path file, String commonName) throws IOException, InterruptedException {
        Path made = Files.createTempDirectory(file.getParent(), "made").resolve("key.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "key",
                        "-dname",
                        "CN=" + commonName,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        made.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool made no certificate");
        }
        Path pem = made.resolveSibling("key.pem");
        Files.writeString(pem, pem(made));
        Files.move(pem, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String pem(Path made) throws IOException {
        try (InputStream in = Files.newInputStream(made)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return block(
                            "PRIVATE KEY",
                            store.getKey("key", PASSWORD.toCharArray()).getEncoded())
                    + block("CERTIFICATE", store.getCertificate("key").getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String block(String name, byte[] bytes) {
        return "-----BEGIN " + name + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + name
                + "-----\n";
    }

    /** The settings of a gateway that serves a new certificate of that name, which is put into the file. */
    static Map<String, String> served(Path file, String commonName) {
        certificate(file, commonName);
        return Map.of(
                "micronaut.server.ssl.enabled", "true",
                "micronaut.server.ssl.port", "0",
                "micronaut.server.http-version", "2.0",
                "micronaut.server.ssl.key-name", "public",
                "micronaut.certificate.file.public.path", file.toString(),
                "micronaut.certificate.file.public.password", PASSWORD,
                "micronaut.certificate.file.public.refresh-mode", "FILE_WATCHER_OR_SCHEDULER");
    }

    static SSLContext trustingAnybody() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
        return context;
    }

    /** A client of HTTP/1.1 that trusts anybody. */
    static HttpClient client() {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(trustingAnybody())
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    static SSLSocket connect(int port, String... protocols) throws IOException {
        return over(new Socket(InetAddress.getLoopbackAddress(), port), protocols);
    }

    /** TLS over a connection, which is closed with it. */
    static SSLSocket over(Socket connection, String... protocols) throws IOException {
        try {
            var socket = (SSLSocket) trustingAnybody()
                    .getSocketFactory()
                    .createSocket(connection, "localhost", connection.getPort(), true);
            var parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(protocols);
            socket.setSSLParameters(parameters);
            return socket;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection in HTTP/1.1 from another address of this machine, which takes in 4 kB ahead of being read. */
    static SSLSocket connectFrom(InetAddress address, int port) throws IOException {
        try {
            var socket = (SSLSocket) trustingAnybody().getSocketFactory().createSocket();
            socket.setReceiveBufferSize(4_096);
            socket.bind(new InetSocketAddress(address, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String commonName(int port) throws IOException {
        try (SSLSocket socket = connect(port, "http/1.1")) {
            socket.startHandshake();
            var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
