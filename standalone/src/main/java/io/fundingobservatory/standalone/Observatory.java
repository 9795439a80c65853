package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.brokers.AccessCommand;
import io.fundingobservatory.standalone.brokers.BackfillCommand;
import io.fundingobservatory.standalone.brokers.ReceiptCommand;
import io.fundingobservatory.standalone.brokers.ResetCommand;
import io.fundingobservatory.standalone.brokers.TopicsCommand;
import io.fundingobservatory.standalone.exchanges.ProbeCommand;
import io.fundingobservatory.standalone.exchanges.ReadCommand;
import io.fundingobservatory.standalone.exchanges.RecordCommand;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. Without a command it runs the service. */
@Command(
        name = "observatory",
        mixinStandardHelpOptions = true,
        versionProvider = Observatory.Version.class,
        description = "Funding rates and prices of perpetual futures from crypto exchanges, normalised to 8 hours.",
        subcommands = {
            RunCommand.class,
            ProbeCommand.class,
            RecordCommand.class,
            ReadCommand.class,
            TopicsCommand.class,
            AccessCommand.class,
            ReceiptCommand.class,
            BackfillCommand.class,
            ResetCommand.class,
            SimulateCommand.class
        },
        footer = {"", "Without a command it runs the service; 'observatory run --help' shows the options of that."})
final class Observatory {
    private Observatory() {}

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs one command line and gives its exit code: 0 done, 1 failed with one line on standard error, 2 wrong usage. */
    static int execute(String... args) {
        CommandLine line = commandLine();
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            if (problem instanceof Stop) {
                command.getErr().println("observatory: " + problem.getMessage());
                return 1;
            }
            throw problem;
        });
        return line.execute(withDefaultCommand(args));
    }

    /** Returns the parser with all commands and options. */
    static CommandLine commandLine() {
        return new CommandLine(new Observatory()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** Returns the arguments as given, or after {@code run} where they name no command. */
    static String[] withDefaultCommand(String[] args) {
        boolean options = args.length > 0 && args[0].startsWith("-");
        boolean about =
                options && java.util.List.of("-h", "--help", "-V", "--version").contains(args[0]);
        if (args.length > 0 && (!options || about)) {
            return args;
        }
        String[] run = new String[args.length + 1];
        run[0] = "run";
        System.arraycopy(args, 0, run, 1, args.length);
        return run;
    }

    /** The release, from the build. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"observatory " + release()};
        }

        static String release() {
            var properties = new Properties();
            try (@Nullable InputStream in = Observatory.class.getResourceAsStream("/observatory.properties")) {
                if (in != null) {
                    properties.load(in);
                }
            } catch (IOException e) {
                throw new IllegalStateException("the build left no release behind", e);
            }
            return properties.getProperty("release", "unknown");
        }
    }
}
