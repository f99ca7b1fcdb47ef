package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.AlertConfig;
import io.weir.core.error.ErrorCode;
import io.weir.core.run.RecoveryMode;
import io.weir.flow.load.Patience;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.loop.Loops;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.ServerSettings;
import io.weir.server.WeirServer;
import io.weir.server.http.Certificate;
import io.weir.server.http.Listen;
import io.weir.server.lineage.LineageAddress;
import io.weir.server.lineage.LineageSink;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

/** {@code weir server}: the HTTP API of a ledger, until it is stopped. */
@Command(
        name = "server",
        description = {
            "Serve the HTTP API of a ledger to flows and operators; deliver the outbox to the"
                    + " flow's receiver and look after what was left behind. Runs until it is"
                    + " stopped.",
            "Any number of servers may run over one ledger; give all of them the same options."
        },
        mixinStandardHelpOptions = true)
public final class ServerCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration RECEIVER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofHours(1);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Where to listen (default: ${DEFAULT-VALUE}).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--certificate",
            paramLabel = "PEM",
            description = "Serve TLS with this chain; needed beyond this machine.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "PEM", description = "Key of the certificate, PKCS #8.")
    private @Nullable Path key;

    @Option(
            names = "--allow-plain",
            description = "Listen beyond this machine without TLS: something in front encrypts.")
    private boolean plain;

    @Option(
            names = "--receiver",
            paramLabel = "URL",
            description = "Call this receiver for the next step of outside runs.")
    private @Nullable String receiver;

    @Option(
            names = "--receiver-host",
            paramLabel = "HOST",
            description = "This host may be called although its address is not public.")
    private List<String> receiverHosts = List.of();

    @Option(
            names = "--receiver-kind",
            paramLabel = "KIND",
            description = "The receiver understands this kind too: PUBLISH_RUN, CONFIRM_RUN.")
    private List<OutsideDispatch.Kind> kinds = List.of();

    @Option(
            names = "--recovery",
            paramLabel = "MODE",
            defaultValue = "FAIL",
            description = "What follows when a partition of an outside run gives no sign: FAIL or"
                    + " REISSUE (default: ${DEFAULT-VALUE}).")
    private RecoveryMode recovery = RecoveryMode.FAIL;

    @Option(
            names = "--lineage",
            paramLabel = "URL|FILE",
            description = "Tell an OpenLineage endpoint, or a file, of the start and the end of"
                    + " every run (default: lineage of the job file).")
    private @Nullable String lineage;

    @Option(
            names = "--alerts-slack",
            paramLabel = "URL",
            description = "Tell this incoming webhook of Slack of replication; best as"
                    + " $${env:NAME}, it is a secret (default: alerts of the job file).")
    private @Nullable String slack;

    @Option(
            names = "--alerts-webhook",
            paramLabel = "URL",
            description = "Post the same as JSON there; best as $${env:NAME}.")
    private @Nullable String webhook;

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        ServerSettings settings = new ServerSettings(
                Listen.of(host, port, certificate(), plain),
                receiver,
                Set.copyOf(receiverHosts),
                RECEIVER_TIMEOUT,
                PAUSE);
        LineageSink sink = sink();
        try (Interruption interruption = Interruption.listen();
                Composition house = ledger.compose()) {
            PostgresLedger books = Patience.endless(interruption.cancellation())
                    .call("open the ledger", Set.of(ErrorCode.LEDGER_UNREACHABLE), house::ledger);
            if (sink == null) {
                house.tellLineage();
            } else {
                house.tellLineage(sink);
            }
            tellAlerts(house);
            try (Loops loops = Loops.start(books);
                    WeirServer server = WeirServer.start(
                            books,
                            books.outside(outsideSettings()),
                            books.access(),
                            settings,
                            UUID::randomUUID,
                            TokenCommand::chance)) {
                out.println("Serving on " + (certificate == null ? "http" : "https") + "://" + host
                        + ":" + server.port());
                out.flush();
                while (!interruption.cancellation().await(LOOK)) {
                    loops.sweepNow();
                }
            }
        }
        return 0;
    }

    private void tellAlerts(Composition house) {
        if (slack == null && webhook == null) {
            house.tellAlerts(Set.of());
        } else {
            house.tellAlerts(new AlertConfig(slack, webhook, receiverHosts), Set.of());
        }
    }

    private @Nullable LineageSink sink() {
        String named = lineage;
        return named == null ? null : LineageAddress.parse(named, Path.of("").toAbsolutePath());
    }

    private OutsideSettings outsideSettings() {
        Set<OutsideDispatch.Kind> all = EnumSet.copyOf(OutsideSettings.OLD_KINDS);
        all.addAll(kinds);
        return OutsideSettings.DEFAULTS.withRecovery(recovery).withKinds(all);
    }

    private @Nullable Certificate certificate() {
        Path chain = certificate;
        Path file = key;
        return chain == null || file == null ? null : Certificate.read(chain, file);
    }
}
