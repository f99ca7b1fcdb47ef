package io.weir.app;

import io.weir.app.config.AlertConfig;
import io.weir.app.config.DatabaseConfig;
import io.weir.app.config.DatabaseUrl;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.config.Secrets;
import io.weir.app.config.ServedConfig;
import io.weir.capture.Capture;
import io.weir.capture.Captures;
import io.weir.client.HttpLedger;
import io.weir.client.OutsideRuns;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.WorkLedger;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.replicate.ReplicateSettings;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.alert.AlertBooks.Channel;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.alert.AlertEndpoint;
import io.weir.server.alert.AlertSink;
import io.weir.server.alert.AlertTeller;
import io.weir.server.lineage.LineageAddress;
import io.weir.server.lineage.LineageSink;
import io.weir.server.lineage.LineageTeller;
import io.weir.server.outside.OutsideDocuments;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.HostNames;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Builds what a command needs, in order, on first use, and closes it in reverse. Everything that
 * the embedded house keeps lives under one directory, {@code .weir}.
 */
public final class Composition implements AutoCloseable {
    /** Name of the ledger's database on the embedded server, and of the catalog everywhere. */
    public static final String NAME = "weir";

    private final Path home;
    private final @Nullable JobFile jobs;
    private final Secrets secrets;
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private @Nullable HttpLedger served;
    private @Nullable PostgresLedger ledger;
    private @Nullable LakeCatalog catalog;
    private @Nullable Engine engine;
    private @Nullable DatabaseUrl ledgerUrl;

    private Composition(Path home, @Nullable JobFile jobs) {
        this.home = home;
        this.jobs = jobs;
        Path directory = jobs == null ? home : JobFileReader.directoryOf(jobs.path());
        this.secrets = new Secrets(directory, System::getenv);
    }

    /**
     * Opens nothing yet.
     *
     * @param home where the embedded server and temporary files live
     * @param jobs null for the embedded ledger and its lake
     */
    public static Composition of(Path home, @Nullable JobFile jobs) {
        return new Composition(home.toAbsolutePath().normalize(), jobs);
    }

    /** Uses the ledger of a server instead of one in a database. */
    public Composition served(HttpLedger remote) {
        served = remote;
        return this;
    }

    /** The server that the job file names; null if it names none. */
    public @Nullable ServedConfig servedConfig() {
        return jobs == null ? null : jobs.served();
    }

    /** A text of the job file with its references to secrets replaced. */
    public String secret(String text) {
        return secrets.resolve(text);
    }

    /** A file that the job file names. */
    public Path file(String name) {
        Path directory = jobs == null ? home : JobFileReader.directoryOf(jobs.path());
        return directory.resolve(name).normalize();
    }

    /** The books for work and for questions, wherever they are kept. */
    public WorkLedger work() {
        return served == null ? ledger() : served;
    }

    /** Runs that flows of somebody else drive, wherever their books are kept. */
    public OutsideRuns outside() {
        return served == null
                ? new OutsideDocuments(ledger().outside(OutsideSettings.DEFAULTS))
                : served.outside();
    }

    /** The books in their database: for what serves, checks or keeps them. */
    public PostgresLedger ledger() {
        if (served != null) {
            throw noDatabase();
        }
        if (ledger == null) {
            DatabaseUrl url = ledgerUrl();
            ledger = PostgresLedger.open(url.url(), url.user(), url.password(), ledgerSettings());
            closers.push(ledger::close);
        }
        return ledger;
    }

    private static WeirException noDatabase() {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot open the database of the ledger: the ledger is reached through a server,"
                        + " which has it",
                "Run this where the database can be reached, with a job file that names it.",
                null);
    }

    /** How the ledger is used; the same in every process that shares it. */
    public LedgerSettings ledgerSettings() {
        return LedgerSettings.ofLease(lease());
    }

    /** How this process works. */
    public LoadSettings loadSettings(int workers) {
        return LoadSettings.of(ProcessName.get(), workers).withLease(lease());
    }

    private Duration lease() {
        return jobs == null ? LoadSettings.LEASE_DEFAULT : jobs.lease();
    }

    public LakeCatalog catalog() {
        if (catalog == null) {
            if (served == null && servedConfig() == null) {
                ledger();
            } else if (jobs == null || jobs.catalog() == null) {
                throw new WeirException(
                        ErrorCode.CONFIG_INVALID,
                        "Cannot open the catalog: the ledger is reached through a server, so its"
                                + " database is not known here",
                        "Name lake.catalog in the job file.",
                        null);
            }
            catalog = LakeCatalog.open(catalogConfig());
            closers.push(catalog::close);
        }
        return catalog;
    }

    /** Where the catalog is; for what opens it by itself. */
    public CatalogConfig catalogConfig() {
        DatabaseConfig named = jobs == null ? null : jobs.catalog();
        DatabaseUrl url = named == null ? ledgerUrl() : DatabaseUrl.of("catalog", named, secrets);
        Path warehouse = jobs == null ? home.resolve("lake") : jobs.warehouse();
        return new CatalogConfig(
                NAME, url.url(), url.user(), url.password(), "file://" + warehouse);
    }

    public Engine engine() {
        if (engine == null) {
            int cores = Runtime.getRuntime().availableProcessors();
            // Beside the heap; what needs more spills. A load must fit beside its database.
            engine = Engine.open(
                    new EngineConfig(MachineMemory.engineBytes(cores), cores, home.resolve("tmp")));
            closers.push(engine::close);
        }
        return engine;
    }

    /**
     * Prepares to read a source of the job file.
     *
     * @throws WeirException if a secret cannot be resolved
     */
    public Source source(String name) {
        Source source = Sources.open(sourceConfig(name));
        closers.push(source::close);
        return source;
    }

    /**
     * Prepares to read the changes of a source of the job file.
     *
     * @throws WeirException if a secret cannot be resolved
     */
    public Capture capture(String name) {
        return Captures.of(sourceConfig(name));
    }

    private SourceConfig sourceConfig(String name) {
        DatabaseConfig config = jobs == null ? null : jobs.sources().get(name);
        if (config == null) {
            throw new WeirException(ErrorCode.CONFIG_INVALID, "Cannot find source " + name);
        }
        DatabaseUrl url = DatabaseUrl.of("source " + name, config, secrets);
        return new SourceConfig(name, url.url(), url.user(), url.password());
    }

    /** How this process replicates. */
    public ReplicateSettings replicateSettings(int workers) {
        return ReplicateSettings.of(
                loadSettings(workers),
                Runtime.getRuntime().availableProcessors(),
                MachineMemory::free,
                home.resolve("tmp").resolve("changes-" + ProcessHandle.current().pid()));
    }

    /**
     * Tells the lineage of runs from now on, if the job file says where to. Over a served ledger
     * its server does, so that this process need not know the database.
     */
    public void tellLineage() {
        JobFile file = jobs;
        String address = file == null ? null : file.lineage();
        if (file != null && address != null && served == null) {
            tellLineage(LineageAddress.parse(address, JobFileReader.directoryOf(file.path())));
        }
    }

    /** Tells the lineage of runs from now on; at the end once more. */
    public void tellLineage(LineageSink sink) {
        PostgresLedger books = ledger();
        LineageTeller teller =
                LineageTeller.of(books, books.outside(OutsideSettings.DEFAULTS), sink);
        closers.push(teller.started()::close);
    }

    /** Tells people of the jobs of the job file from now on, if it says where to. */
    public void tellAlerts(Set<String> only) {
        if (jobs != null && served == null) {
            tellAlerts(jobs.alerts(), only);
        }
    }

    /**
     * Tells people of jobs from now on; at the end once more.
     *
     * @param only these jobs; empty: all of the ledger
     * @throws WeirException if an address is none or its secret cannot be resolved
     */
    public void tellAlerts(AlertConfig config, Set<String> only) {
        AddressGuard guard = new AddressGuard(Set.copyOf(config.hosts()), HostNames.SYSTEM);
        Map<Channel, AlertSink> sinks = new EnumMap<>(Channel.class);
        put(sinks, Channel.SLACK, config.slack(), guard);
        put(sinks, Channel.WEBHOOK, config.webhook(), guard);
        if (!sinks.isEmpty()) {
            AlertTeller teller = new AlertTeller(ledger().alerts(), sinks, only);
            closers.push(teller.started()::close);
        }
    }

    private void put(
            Map<Channel, AlertSink> sinks,
            Channel channel,
            @Nullable String address,
            AddressGuard guard) {
        if (address != null) {
            sinks.put(channel, AlertEndpoint.of(secret(address), guard));
        }
    }

    private DatabaseUrl ledgerUrl() {
        if (servedConfig() != null) {
            throw noDatabase();
        }
        if (ledgerUrl == null) {
            DatabaseConfig config = jobs == null ? null : jobs.ledger();
            ledgerUrl = config == null ? embedded() : DatabaseUrl.of("ledger", config, secrets);
        }
        return ledgerUrl;
    }

    private DatabaseUrl embedded() {
        EmbeddedServer server = EmbeddedServer.attach(home.resolve("pg"), Map.of());
        server.createDatabase(NAME);
        return new DatabaseUrl(server.url(NAME), server.user(), server.password());
    }

    @Override
    public void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }
}
