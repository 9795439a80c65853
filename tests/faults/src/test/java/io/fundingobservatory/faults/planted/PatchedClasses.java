package io.fundingobservatory.faults.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Loads the project's classes again, some of them changed; its parent loads everything else. */
final class PatchedClasses extends ClassLoader {
    private static final String OURS = "io.fundingobservatory.";

    private final List<Patch> patches;
    private final Set<Patch> applied = ConcurrentHashMap.newKeySet();

    PatchedClasses(List<Patch> patches) {
        super(PatchedClasses.class.getClassLoader());
        this.patches = patches;
    }

    /** Patches whose class was never loaded, because nothing needs it or because it is called otherwise now. */
    List<Patch> unused() {
        return patches.stream().filter(patch -> !applied.contains(patch)).toList();
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
                    applied.add(patch);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
