package io.weir.testkit.ledger;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Chunk;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** Draws commands: mostly what a run needs next, sometimes anything. */
final class RandomCommands {
    private static final int RUNS_MAX = 4;
    private static final int TOKENS = 6;
    private static final int OWNERS = 3;
    private static final Operator SOMEBODY = new Operator("somebody", "a reason");

    /** No sum of them comes near the end of a lease, a pause or a deadline from below. */
    private static final List<Integer> PASSES = List.of(31, 31, 61, 121, 301, 3601);

    private static final List<RunState> ACTIVE =
            Stream.of(RunState.values()).filter(RunState::isActive).toList();
    private static final List<RunState> TERMINAL =
            Stream.of(RunState.values()).filter(RunState::isTerminal).toList();

    private final Random random;
    private final String job;

    RandomCommands(Random random, String job) {
        this.random = random;
        this.job = job;
    }

    /**
     * One command.
     *
     * @param run index of the run that it is about; -1 for none
     */
    record Step(String name, int run, Function<Side, Object> command) {}

    Step next(Side side) {
        if (side.runs.isEmpty() || (side.runs.size() < RUNS_MAX && chance(8))) {
            return create();
        }
        int run = random.nextInt(side.runs.size());
        if (chance(70)) {
            return advance(side, run);
        }
        return chance(40) ? time(run) : anything(side, run);
    }

    private Step create() {
        int table = random.nextInt(2);
        boolean cut = chance(30);
        String name = cut ? job + "cut" : job;
        CreateRun request = LedgerScript.request(
                name,
                "sales." + job + table,
                chance(70) ? RecoveryMode.REISSUE : RecoveryMode.FAIL,
                cut ? new Cut(new UUID(5, 5), 2) : null);
        CreateRun keyed = LedgerScript.withKey(request, name + table + "/" + random.nextInt(2));
        return new Step(
                "create " + keyed.idempotencyKey(),
                -1,
                side -> side.addRun(side.ledger.createRun(keyed).id()));
    }

    /** What brings the run nearer to its end. */
    private Step advance(Side side, int run) {
        RunState state = side.ledger.detail(side.runs.get(run)).run().state();
        return switch (state) {
            case CREATED -> chance(50) ? hold(run) : manifest(run);
            case EXTRACTING -> chance(40) ? claim(run) : report(side, run);
            case EXTRACTED_VALIDATED, PUBLISH_UNKNOWN -> start(run);
            case STAGE_VALIDATING -> stage(side, run);
            case STAGING_VALIDATED -> chance(50) ? start(run) : attempt(side, run);
            case PUBLISHING -> attempt(side, run);
            case PUBLISHED -> chance(40) ? start(run) : confirm(run);
            default -> anything(side, run);
        };
    }

    private Step anything(Side side, int run) {
        return switch (random.nextInt(12)) {
            case 0 -> manifest(run);
            case 1 -> claim(run);
            case 2 -> report(side, run);
            case 3 -> start(run);
            case 4 -> stage(side, run);
            case 5 -> attempt(side, run);
            case 6 -> confirm(run);
            case 7 -> hold(run);
            case 8 -> fail(run);
            case 9 -> person(run);
            case 10 -> outbox(side, run);
            default -> retention(run);
        };
    }

    private Step time(int run) {
        int seconds = oneOf(PASSES);
        return switch (random.nextInt(4)) {
            case 0 -> {
                int number = random.nextInt(OWNERS + 1);
                String owner = number == OWNERS ? null : "owner" + number;
                yield step(
                        "heartbeat of " + owner,
                        run,
                        (side, id) -> side.ledger.heartbeatRun(id, owner));
            }
            case 1 ->
                step("pass " + seconds, run, (side, id) -> {
                    side.books.pass(Duration.ofSeconds(seconds));
                    return "";
                });
            default ->
                step(
                        "sweep",
                        run,
                        (side, id) -> side.books.anotherProcess().sweep().actions().stream()
                                .filter(action -> side.runs.contains(action.runId()))
                                .toList());
        };
    }

    private Step manifest(int run) {
        int partitions = 1 + random.nextInt(3);
        boolean wrong = chance(10);
        return step(
                "manifest " + partitions,
                run,
                (side, id) -> side.ledger.registerManifest(
                        id,
                        wrong
                                ? LedgerScript.manifest(partitions, 3, 10L)
                                : LedgerScript.manifest(partitions)));
    }

    private Step hold(int run) {
        UUID holder = new UUID(6, random.nextInt(2));
        return chance(80)
                ? step("hold", run, (side, id) -> {
                    side.ledger.holdSnapshot(
                            id, holder, LedgerScript.manifest(1).snapshot(), "w");
                    return "";
                })
                : step("release", run, (side, id) -> {
                    side.ledger.releaseSnapshot(id, holder);
                    return "";
                });
    }

    private Step claim(int run) {
        UUID token = new UUID(run, random.nextInt(TOKENS));
        boolean named = chance(20);
        return step("claim", run, (side, id) -> {
            Optional<WorkOrder> order = named
                    ? side.ledger.claim(id, PartitionId.ofIndex(0), token, "w")
                    : side.ledger.claimNext(id, token, "w");
            order.ifPresent(side.orders::add);
            return order;
        });
    }

    private Step report(Side side, int run) {
        if (side.orders.isEmpty()) {
            return claim(run);
        }
        // The newest claims are those that live.
        int order = side.orders.size() - 1 - random.nextInt(Math.min(3, side.orders.size()));
        int kind = random.nextInt(10);
        List<ChunkReport> reports = reports(kind);
        return new Step("report " + kind, runOf(side, order), on -> {
            WorkOrder mine = on.orders.get(order);
            if (kind == 9) {
                on.ledger.heartbeat(mine.claim(), new Progress(1, 2));
                return "";
            }
            return on.ledger.reportChunks(mine.claim(), reports);
        });
    }

    private int runOf(Side side, int order) {
        return side.runs.indexOf(side.orders.get(order).claim().runId());
    }

    private static List<ChunkReport> reports(int kind) {
        return switch (kind) {
            case 0 -> List.of(LedgerScript.chunk(0, 4, false));
            case 1 -> List.of(LedgerScript.chunk(1, 6, true));
            case 2 -> List.of(LedgerScript.chunk(1, 5, true));
            case 3 -> List.of(LedgerScript.chunk(0, 4, false), LedgerScript.chunk(1, 6, true));
            case 4 -> List.of(LedgerScript.chunk(2, 1, true));
            case 5 -> List.of();
            default -> List.of(LedgerScript.chunk(0, 10, true));
        };
    }

    private Step start(int run) {
        String owner = "owner" + random.nextInt(OWNERS);
        return step(
                "start " + owner,
                run,
                (side, id) -> side.ledger.startStep(id, side.dispatchOf(id), owner));
    }

    private Step stage(Side side, int run) {
        UUID token = new UUID(run, TOKENS + random.nextInt(TOKENS));
        return switch (random.nextInt(6)) {
            case 0 -> open(run, token);
            case 1 -> attempt(side, run);
            case 2 -> files(run);
            case 3 -> measure(run, Stage.STAGING);
            default -> step("validated", run, (on, id) -> on.ledger.stageValidated(id));
        };
    }

    private Step open(int run, UUID token) {
        return step("open", run, (side, id) -> {
            PublishAttempt attempt = side.ledger.openAttempt(id, 100, token);
            side.attempts.add(attempt);
            return attempt;
        });
    }

    private Step files(int run) {
        boolean wrong = chance(15);
        return step("files", run, (side, id) -> {
            List<FileMeasure> files = new ArrayList<>();
            for (Chunk chunk : side.ledger.detail(id).chunks()) {
                String path = chunk.path();
                if (path != null) {
                    files.add(new FileMeasure(
                            path, wrong ? LedgerScript.balance(3) : chunk.balance()));
                }
            }
            return side.ledger.recordFiles(id, files);
        });
    }

    private Step measure(int run, Stage stage) {
        boolean wrong = chance(15);
        return step("measure " + stage, run, (side, id) -> {
            Run row = side.ledger.detail(id).run();
            List<Measure> measures = new ArrayList<>(List.of(
                    new Measure(MetricName.ROW_COUNT, String.valueOf(row.sourceCount())),
                    new Measure(LedgerScript.SUM_AMOUNT, wrong ? "1" : "99.5"),
                    new Measure(LedgerScript.MIN_NOTE, null),
                    new Measure(MetricName.BALANCE, row.extracted().toString()),
                    new Measure(MetricName.DUPLICATE_KEYS, "0")));
            return side.ledger.recordMetrics(id, stage, measures);
        });
    }

    /** Something about the newest attempt, or one of those before. */
    private Step attempt(Side side, int run) {
        if (side.attempts.isEmpty()) {
            return open(run, new UUID(run, TOKENS));
        }
        int index = side.attempts.size() - 1 - random.nextInt(Math.min(2, side.attempts.size()));
        UUID token = new UUID(run, TOKENS + random.nextInt(TOKENS));
        int about = side.runs.indexOf(side.attempts.get(index).runId());
        int kind = random.nextInt(8);
        return new Step("attempt " + kind, about, on -> {
            PublishAttempt mine = on.attempts.get(index);
            return switch (kind) {
                case 0, 1 -> {
                    on.ledger.recordStaged(mine, 200);
                    yield "";
                }
                case 2, 3 -> on.ledger.claimPublish(mine);
                case 4 -> {
                    PublishAttempt renewed = on.ledger.renewAttempt(mine, 101, token);
                    on.attempts.add(renewed);
                    yield renewed;
                }
                case 5 -> on.ledger.publishResult(mine, PublishOutcome.UNKNOWN, null, "lost");
                case 6 -> on.ledger.publishResult(mine, PublishOutcome.ABSENT, null, "no");
                default -> on.ledger.publishResult(mine, PublishOutcome.PUBLISHED, 300L, "yes");
            };
        });
    }

    private Step confirm(int run) {
        return chance(50)
                ? measure(run, Stage.TARGET)
                : step("succeed", run, (side, id) -> side.ledger.succeed(id));
    }

    private Step fail(int run) {
        RunState expected = oneOf(ACTIVE);
        RunState failed = oneOf(TERMINAL);
        return step(
                "fail " + expected + " " + failed,
                run,
                (side, id) -> side.ledger.failRun(
                        id, expected, failed, new Failure("X", "Y", "a reason")));
    }

    private Step person(int run) {
        RunState expected = oneOf(ACTIVE);
        return chance(40)
                ? step(
                        "cancel " + expected,
                        run,
                        (side, id) -> side.ledger.cancelRun(id, expected, SOMEBODY))
                : step(
                        "resend",
                        run,
                        (side, id) ->
                                side.ledger.resendDispatch(id, side.dispatchOf(id), SOMEBODY));
    }

    private Step outbox(Side side, int run) {
        if (side.leased.isEmpty() || chance(50)) {
            return step("lease", run, (on, id) -> {
                List<Dispatch> leased = on.named(on.ledger.leaseDispatches(100));
                on.leased.addAll(leased);
                return leased;
            });
        }
        int index = random.nextInt(side.leased.size());
        Delivery delivery = oneOf(List.of(
                Delivery.ACCEPTED,
                Delivery.postponed("busy"),
                Delivery.declined("not mine"),
                Delivery.refused("never")));
        return step("settle " + delivery.outcome(), run, (on, id) -> {
            on.ledger.settleDispatch(on.leased.get(index), delivery);
            return "";
        });
    }

    private Step retention(int run) {
        Duration hour = Duration.ofHours(1);
        return switch (random.nextInt(3)) {
            case 0 ->
                step(
                        "cleanable",
                        run,
                        (side, id) -> side.ledger.cleanable(hour, hour, 100).stream()
                                .map(Run::id)
                                .toList());
            case 1 -> step("cleaned", run, (side, id) -> side.ledger.recordCleaned(id));
            default ->
                step("list", run, (side, id) -> side.ledger.runs(new RunFilter(job, false, 100)));
        };
    }

    private static Step step(String name, int run, RunCommandOn command) {
        return new Step(name + " run#" + run, run, side -> command.on(side, side.runs.get(run)));
    }

    /** A command about one run. */
    private interface RunCommandOn {
        Object on(Side side, RunId id);
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
