package io.fundingobservatory.testbed.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority of one's own and the certificates that it signs, in PEM, made by the JDK's keytool. */
final class Certificates {
    private static final String PASSWORD = "changeit";
    private static final String AUTHORITY = "authority";

    private final Path store;

    private Certificates(Path store) {
        this.store = store;
    }

    /** Makes the authority; what it signs is kept in the same file. */
    static Certificates in(Path directory) throws IOException, InterruptedException {
        var certificates = new Certificates(directory.resolve("certificates.p12"));
        certificates.keytool("-alias", AUTHORITY, "-dname", "CN=test authority", "-ext", "bc:c");
        return certificates;
    }

    /** The authority's certificate: what clients are to trust. */
    String authority() throws IOException {
        try {
            return block("CERTIFICATE", open().getCertificate(AUTHORITY).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts a new key and its certificate for this machine into the file, at once; the name in it is always the same. */
    void issue(String alias, Path file) throws IOException, InterruptedException {
        keytool("-alias", alias, "-dname", "CN=broker", "-signer", AUTHORITY, "-ext", "san=dns:localhost,ip:127.0.0.1");
        var pem = new StringBuilder();
        try {
            KeyStore keys = open();
            pem.append(block(
                    "PRIVATE KEY", keys.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
            for (Certificate certificate : keys.getCertificateChain(alias)) {
                pem.append(block("CERTIFICATE", certificate.getEncoded()));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(made, pem);
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private KeyStore open() throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return keys;
        }
    }

    private void keytool(String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(options));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(5, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
            throw new IOException("keytool made no certificate: " + output);
        }
    }

    private static String block(String name, byte[] bytes) {
        return "-----BEGIN " + name + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + name + "-----\n";
    }
}
