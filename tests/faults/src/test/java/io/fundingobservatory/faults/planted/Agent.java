package io.fundingobservatory.faults.planted;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Java agent of a service under test. It moves the wall clock by the milliseconds in a file, or plants one
 * bug. {@code -javaagent:agent.jar=clock:<file>} or {@code =bug:<name of a {@link Bug}>}.
 */
public final class Agent {
    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc CLOCK = ClassDesc.of("java.time.Clock");

    private Agent() {}

    /** Writes the jar of this agent, once for each folder. */
    public static Path jar(Path folder) throws IOException {
        Path jar = folder.resolve("agent.jar");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        Path classes = Path.of(
                Agent.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        String own = Agent.class.getPackageName().replace('.', '/');
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var files = Files.newDirectoryStream(classes.resolve(own))) {
            for (Path file : files) {
                out.putNextEntry(new JarEntry(own + "/" + file.getFileName()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    public static void premain(String arguments, Instrumentation jvm) throws Exception {
        String what = arguments.substring(0, arguments.indexOf(':'));
        String value = arguments.substring(arguments.indexOf(':') + 1);
        switch (what) {
            case "clock" -> moveClock(Path.of(value), jvm);
            case "bug" -> plant(Bug.valueOf(value), jvm);
            default -> throw new IllegalArgumentException(arguments);
        }
    }

    private static void plant(Bug bug, Instrumentation jvm) {
        jvm.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
                if (!bug.className().equals(name)) {
                    return null;
                }
                try {
                    byte[] changed = bug.planted(bytes);
                    System.out.println("planted " + bug);
                    return changed;
                } catch (RuntimeException e) {
                    System.out.println("not planted: " + e);
                    return null;
                }
            }
        });
    }

    /** Every call of {@code System.currentTimeMillis} and the instant behind every {@code Clock} go through {@link MovedClock}. */
    private static void moveClock(Path file, Instrumentation jvm) throws Exception {
        // java.time must see the class as well: it goes to the boot loader, in a jar of its own.
        Path boot = Files.createTempFile("moved-clock", ".jar");
        String entry = MovedClock.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(boot));
                InputStream bytes = Agent.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new JarEntry(entry));
            bytes.transferTo(out);
        }
        jvm.appendToBootstrapClassLoaderSearch(new JarFile(boot.toFile()));
        jvm.addTransformer(new Moving(), true);
        jvm.retransformClasses(Class.forName("java.time.Clock"), Class.forName("java.time.Clock$SystemClock"));
        for (String each : List.of("java.time.Clock$SystemInstantSource", "java.time.InstantSource")) {
            jvm.retransformClasses(Class.forName(each));
        }
        Thread.ofPlatform().name("moved-clock").daemon().start(() -> follow(file));
    }

    private static void follow(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        try (WatchService changes = folder.getFileSystem().newWatchService()) {
            Field moved = Class.forName(MovedClock.class.getName(), true, null).getField("byMs");
            folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            while (true) {
                String line = Files.exists(file)
                        ? Files.readString(file, StandardCharsets.US_ASCII).strip()
                        : "";
                if (!line.isEmpty() && moved.getLong(null) != Long.parseLong(line)) {
                    moved.setLong(null, Long.parseLong(line));
                    System.out.println("clock moved by " + line);
                }
                WatchKey changed = changes.take();
                changed.pollEvents();
                changed.reset();
            }
        } catch (ReflectiveOperationException | IOException | InterruptedException e) {
            System.out.println("clock not moved: " + e);
        }
    }

    private static final class Moving implements ClassFileTransformer {
        private static final ClassDesc MOVED = ClassDesc.of(MovedClock.class.getName());
        private static final MethodTypeDesc MILLIS = MethodTypeDesc.of(ConstantDescs.CD_long);

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
            if (name == null || name.startsWith("io/fundingobservatory/faults/") || !mentions(bytes)) {
                return null;
            }
            if (loader == null && !name.startsWith("java/time/")) {
                return null; // what the JDK itself measures stays as it is
            }
            try {
                return ClassFile.of()
                        .transformClass(
                                ClassFile.of().parse(bytes),
                                ClassTransform.transformingMethodBodies((code, element) -> {
                                    if (element instanceof InvokeInstruction call
                                            && call.owner().asSymbol().equals(SYSTEM)
                                            && call.name().equalsString("currentTimeMillis")) {
                                        code.invokestatic(MOVED, "currentTimeMillis", MILLIS);
                                    } else if (element instanceof InvokeInstruction call
                                            && call.owner().asSymbol().equals(CLOCK)
                                            && call.name().equalsString("currentInstant")) {
                                        code.with(element);
                                        code.invokestatic(
                                                MOVED,
                                                "moved",
                                                MethodTypeDesc.of(
                                                        ClassDesc.of("java.time.Instant"),
                                                        ClassDesc.of("java.time.Instant")));
                                    } else {
                                        code.with(element);
                                    }
                                }));
            } catch (RuntimeException e) {
                System.out.println("clock of " + name + " not moved: " + e);
                return null;
            }
        }

        private static boolean mentions(byte[] bytes) {
            var text = new String(bytes, StandardCharsets.ISO_8859_1);
            return text.contains("currentTimeMillis") || text.contains("currentInstant");
        }
    }
}
