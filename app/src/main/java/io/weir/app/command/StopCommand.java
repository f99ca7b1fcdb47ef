package io.weir.app.command;

import io.weir.app.demo.DemoShop;
import io.weir.ledger.embedded.EmbeddedServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code weir stop}: stops the embedded servers; nothing is lost. */
@Command(
        name = "stop",
        description = "Stop the embedded servers; they start again when needed.",
        mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HomeOptions home = new HomeOptions();

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        Path root = home.home().toAbsolutePath().normalize();
        boolean ledger = EmbeddedServer.stop(root.resolve("pg"));
        boolean shop = EmbeddedServer.stop(DemoShop.home(root));
        out.println(ledger ? "Stopped the embedded ledger." : "No embedded ledger is running.");
        if (shop) {
            out.println("Stopped the shop of the demo.");
        }
        return 0;
    }
}
