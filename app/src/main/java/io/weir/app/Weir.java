package io.weir.app;

import io.weir.app.command.CancelCommand;
import io.weir.app.command.CertificateCommand;
import io.weir.app.command.CheckCommand;
import io.weir.app.command.CleanCommand;
import io.weir.app.command.ContinueCommand;
import io.weir.app.command.DemoCommand;
import io.weir.app.command.ExplainCommand;
import io.weir.app.command.FsckCommand;
import io.weir.app.command.IngestCommand;
import io.weir.app.command.LoadCommand;
import io.weir.app.command.PauseCommand;
import io.weir.app.command.RebuildCommand;
import io.weir.app.command.ReplicateCommand;
import io.weir.app.command.ResendCommand;
import io.weir.app.command.ResolveCommand;
import io.weir.app.command.ResumeCommand;
import io.weir.app.command.RollbackCommand;
import io.weir.app.command.RunsCommand;
import io.weir.app.command.ServerCommand;
import io.weir.app.command.ShowCommand;
import io.weir.app.command.SqlCommand;
import io.weir.app.command.StopCommand;
import io.weir.app.command.TokenCommand;
import io.weir.app.command.TransactionsCommand;
import io.weir.app.command.WorkerCommand;
import io.weir.app.console.ErrorText;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point of the {@code weir} command. */
@Command(
        name = "weir",
        description = "Moves rows into lakehouse tables and proves that they arrived.",
        mixinStandardHelpOptions = true,
        version = "weir 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            CheckCommand.class,
            LoadCommand.class,
            IngestCommand.class,
            ReplicateCommand.class,
            WorkerCommand.class,
            ServerCommand.class,
            TokenCommand.class,
            TransactionsCommand.class,
            RunsCommand.class,
            ShowCommand.class,
            ExplainCommand.class,
            CancelCommand.class,
            ResolveCommand.class,
            ResendCommand.class,
            RebuildCommand.class,
            ContinueCommand.class,
            RollbackCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            CleanCommand.class,
            CertificateCommand.class,
            FsckCommand.class,
            SqlCommand.class,
            StopCommand.class
        })
public final class Weir {
    private Weir() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = run(arguments, out, err);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /**
     * Runs one command.
     *
     * @return the exit code: 0, or that of the error's kind
     */
    public static int run(String[] arguments, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new Weir());
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((thrown, command, parsed) -> report(thrown, command));
        line.setParameterExceptionHandler((thrown, args) -> {
            PrintWriter writer = thrown.getCommandLine().getErr();
            writer.println("Error: " + thrown.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(thrown, writer);
            writer.println("Hint: " + thrown.getCommandLine().getCommandName()
                    + " --help lists what there is.");
            return ErrorKind.INVALID.exitCode();
        });
        return line.execute(arguments);
    }

    private static int report(Exception thrown, CommandLine command) {
        WeirException error = thrown instanceof WeirException known
                ? known
                : new WeirException(
                        ErrorCode.INTERNAL, "Cannot finish the command: " + thrown, thrown);
        PrintWriter err = command.getErr();
        err.print(ErrorText.of(error));
        if (error.code().kind() == ErrorKind.BUG) {
            thrown.printStackTrace(err);
        }
        err.flush();
        return error.code().kind().exitCode();
    }
}
