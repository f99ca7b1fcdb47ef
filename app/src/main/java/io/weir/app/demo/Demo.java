package io.weir.app.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.ProcessName;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.console.CertificateText;
import io.weir.app.console.ProgressPrinter;
import io.weir.core.certificate.Certificate;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.table.LakeTable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The whole story in one command: load, prove, tamper, refuse; follow, lose, stop, mend. */
public final class Demo {
    private static final String TAMPERED_JOB = "orders";
    private static final String LIVE_JOB = "live";

    private final Path home;
    private final Story story;
    private final Cancellation cancellation;
    private final List<Certificate> certificates = new ArrayList<>();

    public Demo(Path home, PrintWriter out, ProgressPrinter.Form form, Cancellation cancellation) {
        this.home = home.toAbsolutePath().normalize();
        this.story = new Story(out, form);
        this.cancellation = cancellation;
    }

    /**
     * Runs the demo.
     *
     * @return whether everything went as it must, the refusal included
     */
    public boolean run() {
        story.say("1. A shop: PostgreSQL with customers, 1,000,000 orders, items, an empty table.");
        DemoShop shop = DemoShop.open(home);
        JobFile jobs = JobFileReader.read(writeJobFile(shop));
        String businessKey = "demo-" + Instant.now().truncatedTo(ChronoUnit.SECONDS);
        try (Composition house = Composition.of(home, jobs)) {
            LoadFlow flow = new LoadFlow(
                    house.ledger(),
                    house.ledger(),
                    house.catalog(),
                    house.engine(),
                    LoadSettings.of(ProcessName.get(), Runtime.getRuntime().availableProcessors()),
                    UUID::randomUUID,
                    cancellation);
            load(house, flow, jobs, businessKey);
            tamper(house, flow, jobs, businessKey);
            ReplicateJob live = (ReplicateJob) jobs.replicated(LIVE_JOB).get(0);
            new LiveDemo(house, shop, live, story, cancellation).run();
        }
        return conclude();
    }

    private void load(Composition house, LoadFlow flow, JobFile jobs, String businessKey) {
        story.say("\n2. Load all four tables at one snapshot.\n");
        List<RunDetail> details = flow.load(
                house.source("shop"),
                jobs.select(null),
                businessKey,
                ProgressPrinter.of(story.out(), story.form()));
        for (RunDetail detail : details) {
            Certificate certificate = new Certificate(detail);
            certificates.add(certificate);
            story.say("\n" + CertificateText.of(certificate));
            story.check(
                    "loaded and verified " + detail.run().target(),
                    certificate.conclusion() == Certificate.Conclusion.VERIFIED);
        }
    }

    private void tamper(Composition house, LoadFlow flow, JobFile jobs, String businessKey) {
        story.say("3. Once more, with one value of one staged file changed behind Weir's back;"
                + " the row count stays.\n");
        LoadJob job = jobs.select(TAMPERED_JOB).get(0);
        LakeTable before = house.catalog().load(job.target());
        long snapshotId = before.currentSnapshotId();
        Tampering tampering = new Tampering(ProgressPrinter.of(story.out(), story.form()));
        String key = businessKey + "-tampered";
        try {
            flow.load(house.source("shop"), List.of(job), key, tampering);
            story.check("tampered run is refused", false);
        } catch (WeirException refusal) {
            story.say("\nRefused, as it must be: " + refusal.text() + "\n");
            story.check("tampered run is refused", refusal.code() == ErrorCode.VALIDATION_FAILED);
            story.check(
                    "refusal names file, metric, expected and found",
                    refusal.text().contains(tampering.fileName())
                            && refusal.text().contains(MetricName.BALANCE.toString())
                            && refusal.text().contains("expected")
                            && refusal.text().contains("found"));
        }
        Run refused = house.ledger().runs(new RunFilter(job.name(), false, 1)).get(0);
        certificates.add(new Certificate(house.ledger().detail(refused.id())));
        story.check(
                "tampered run is closed before publishing",
                refused.state() == RunState.FAILED_STAGE_VALIDATION);
        story.check(
                "published table is untouched",
                house.catalog().load(job.target()).currentSnapshotId() == snapshotId);
    }

    private boolean conclude() {
        boolean ok = story.isWell();
        story.document(summary(ok));
        story.say("");
        story.sayChecks();
        story.say("\nLook at the result:");
        story.say("  ./weir sql \"select status, sum(amount) from live.orders group by status\"");
        story.say("  ./weir runs");
        story.say("  ./weir certificate " + certificates.get(1).detail().run().id());
        story.say("  ./weir replicate " + jobFile() + " --status");
        return ok;
    }

    private ObjectNode summary(boolean ok) {
        ObjectNode json = Json.object();
        json.put("ok", ok);
        json.put(
                "rows",
                certificates.stream()
                        .filter(c -> c.conclusion() == Certificate.Conclusion.VERIFIED)
                        .mapToLong(c -> c.detail().run().extracted().rows())
                        .sum());
        ArrayNode documents = json.putArray("certificates");
        certificates.forEach(certificate -> documents.add(certificate.json()));
        story.put(json.putArray("checks"));
        return json;
    }

    private Path jobFile() {
        return DemoShop.directory(home).resolve("job.yaml");
    }

    private Path writeJobFile(DemoShop shop) {
        Path file = jobFile();
        String yaml = DemoShop.resource("job.yaml")
                .replace("@URL@", shop.url())
                .replace("@USER@", shop.user())
                .replace("@PASSWORD_FILE@", shop.passwordFile().getFileName().toString());
        try {
            return Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot write the job file " + file + ": " + e.getMessage(),
                    e);
        }
    }
}
