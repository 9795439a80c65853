package io.fundingobservatory.standalone.roles;

import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The certificate that a new connection to a broker on this machine is shown. */
final class ShownCertificate {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private ShownCertificate() {}

    /** Its serial number. */
    static String serial(String bootstrapServers) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
        int port = Integer.parseInt(bootstrapServers.replaceAll(".*:", ""));
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber()
                    .toString();
        }
    }

    /** Waits for another one: a broker follows the controller's word some milliseconds later, one network thread after another. */
    static void awaitAnother(String serial, String bootstrapServers) throws IOException, GeneralSecurityException {
        Await.<GeneralSecurityException>until("new connections see the new certificate", () -> {
            try {
                return !serial(bootstrapServers).equals(serial);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
