package io.weir.app.command;

import io.weir.app.demo.Demo;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code weir demo}: the whole story on a bare machine. */
@Command(
        name = "demo",
        description = "Load a shop, prove it, see a tampered file refused; follow its changes, and"
                + " see a lost one stopped.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HomeOptions home = new HomeOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (Interruption interruption = Interruption.listen()) {
            Demo demo = new Demo(
                    home.home(),
                    Terminal.out(spec),
                    output.progress(),
                    interruption.cancellation());
            return demo.run() ? 0 : 1;
        }
    }
}
