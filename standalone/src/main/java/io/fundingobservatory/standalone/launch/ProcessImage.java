package io.fundingobservatory.standalone.launch;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program that this process runs. */
final class ProcessImage {
    private ProcessImage() {}

    /** {@code execve(2)}: never returns where it succeeds; where there is none, as on Windows, or it fails, everything is as before. */
    @SuppressWarnings("restricted") // the manifest of the jar allows native access
    static void replace(String program, List<String> words, Map<String, String> environment) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        Optional<MemorySegment> execve = library.find("execve");
        if (execve.isEmpty()) {
            return;
        }
        MethodHandle call = linker.downcallHandle(
                execve.get(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            List<String> variables = environment.entrySet().stream()
                    .map(variable -> variable.getKey() + "=" + variable.getValue())
                    .toList();
            int failed =
                    (int) call.invokeExact(arena.allocateFrom(program), array(words, arena), array(variables, arena));
            System.err.println("observatory: the process could not be started with its own options (" + failed
                    + "); it goes on with the memory that java gives it");
        } catch (Throwable e) {
            throw new IllegalStateException("execve cannot be called", e);
        }
    }

    /** Pointers to strings, and a null pointer behind the last. */
    private static MemorySegment array(List<String> strings, Arena arena) {
        MemorySegment array = arena.allocate(ValueLayout.ADDRESS, strings.size() + 1L);
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(strings.get(i)));
        }
        array.setAtIndex(ValueLayout.ADDRESS, strings.size(), MemorySegment.NULL);
        return array;
    }
}
