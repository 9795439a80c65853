package io.fundingobservatory.testbed.broker;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A certificate authority and the certificates that it signs, in PEM. */
final class Certificates {
    private final X509Bundle authority;

    private Certificates(X509Bundle authority) {
        this.authority = authority;
    }

    /** Makes an authority with a new key. */
    static Certificates make() {
        try {
            return new Certificates(new CertificateBuilder()
                    .subject("CN=test authority")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned());
        } catch (Exception e) {
            throw new IllegalStateException("no authority was made", e);
        }
    }

    /** Returns the authority's certificate, which clients trust. */
    String authority() {
        return authority.getCertificatePEM();
    }

    /** Puts a new key and its certificate for this machine into the file, at once; the name in it is always the same. */
    void issue(Path file) throws IOException {
        X509Bundle issued;
        try {
            issued = new CertificateBuilder()
                    .subject("CN=broker")
                    .addSanDnsName("localhost")
                    .addSanIpAddress("127.0.0.1")
                    .buildIssuedBy(authority);
        } catch (Exception e) {
            throw new IllegalStateException("no certificate was made", e);
        }
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(made, issued.getPrivateKeyPEM() + issued.getCertificatePathPEM());
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
