import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Removes what other platforms need from directories of libraries: {@code java OnePlatform.java DIR…}. Native libraries inside jars stay
 * where their name has this operating system and processor; jars of natives of another platform are deleted.
 */
final class OnePlatform {
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    /** How zstd-jni, RocksDB and Brotli4j name this platform. */
    private static final List<String> OURS = ARM
            ? List.of("linux/aarch64/", "-linux-aarch64.so", "linux-aarch64")
            : List.of("linux/amd64/", "-linux64.so", "linux-x86_64");

    public static void main(String[] directories) throws IOException {
        for (String directory : directories) {
            try (var files = Files.list(Path.of(directory))) {
                for (Path jar :
                        files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                    String name = jar.getFileName().toString();
                    if (name.startsWith("native-")) {
                        if (OURS.stream().noneMatch(name::contains)) {
                            Files.delete(jar);
                        }
                    } else if (name.startsWith("rocksdbjni-") || name.startsWith("zstd-jni-")) {
                        strip(jar);
                    }
                }
            }
        }
    }

    private static void strip(Path jar) throws IOException {
        Path stripped = jar.resolveSibling("stripped.tmp");
        try (var in = new ZipInputStream(Files.newInputStream(jar));
                var out = new ZipOutputStream(Files.newOutputStream(stripped))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (isKept(entry.getName())) {
                    var copy = new ZipEntry(entry.getName());
                    copy.setTime(entry.getTime());
                    out.putNextEntry(copy);
                    in.transferTo(out);
                }
            }
        }
        Files.move(stripped, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isKept(String entry) {
        boolean isNative = entry.toLowerCase(Locale.ROOT).matches(".*\\.(so|dll|jnilib|dylib)");
        return !isNative || OURS.stream().anyMatch(entry::contains);
    }
}
