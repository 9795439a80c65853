package io.fundingobservatory.standalone.exchanges;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which exchanges are observed: {@code live}, {@code simulated}, {@code replay:DIR}, or {@code auto} for one of the first two. */
public sealed interface SourceOption {
    /** The exchanges' own public APIs. */
    record Live() implements SourceOption {}

    /** Simulated ones, in this process. */
    record Simulated() implements SourceOption {}

    /** Recorded bodies. */
    record Replay(Path folder) implements SourceOption {}

    /**
     * Live if it was live before or any exchange responds within a few seconds, else simulated. A restart requests nothing of an exchange
     * that has banned us. Nor does a failure of the network turn live rates into simulated ones.
     */
    record Auto() implements SourceOption {}

    /** The word under which data of this source is kept, apart from data of any other. */
    default String word() {
        return switch (this) {
            case Live() -> "live";
            case Simulated() -> "simulated";
            case Replay(Path ignored) -> "replay";
            case Auto() -> "auto";
        };
    }

    /** Reads the word of the command line. */
    final class Converter implements ITypeConverter<SourceOption> {
        @Override
        public SourceOption convert(String word) {
            if (word.startsWith("replay:")) {
                Path folder = Path.of(word.substring("replay:".length()));
                if (!Files.isDirectory(folder)) {
                    throw new TypeConversionException(
                            "no such folder: " + folder + "; replay:DIR takes DIR/<venue>/<request>.json");
                }
                return new Replay(folder.toAbsolutePath().normalize());
            }
            return switch (word) {
                case "live" -> new Live();
                case "simulated" -> new Simulated();
                case "auto" -> new Auto();
                default -> throw new TypeConversionException("it is live, simulated, replay:DIR or auto");
            };
        }
    }
}
