package io.fundingobservatory.faults.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Loads the project's classes anew, some of them changed; everything else is the parent's. */
final class PatchedClasses extends ClassLoader {
    private static final String OURS = "io.fundingobservatory.";

    private final List<Patch> patches;

    PatchedClasses(List<Patch> patches) {
        super(PatchedClasses.class.getClassLoader());
        this.patches = patches;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = file.readAllBytes();
            for (Patch patch : patches) {
                if (patch.owner().equals(name)) {
                    bytes = patch.applied(bytes);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
