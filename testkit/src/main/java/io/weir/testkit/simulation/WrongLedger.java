package io.weir.testkit.simulation;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.run.Partition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** The commands; with a seeded bug some of them check less. */
final class WrongLedger {
    private static final Pattern HIDDEN = Pattern.compile("hidden-([0-9a-f]*)");
    private static final HexFormat HEX = HexFormat.of();

    private final World world;
    private final Ledger real;

    private WrongLedger(World world, Ledger real) {
        this.world = world;
        this.real = real;
    }

    /** The ledger itself unless one of its checks has to be missing. */
    static Ledger around(World world, Ledger real) {
        boolean wrong =
                world.has(SeededBug.M2_EPOCH_UNCHECKED) || world.has(SeededBug.M17_PATH_UNCHECKED);
        WrongLedger ledger = new WrongLedger(world, real);
        return wrong
                ? (Ledger) Proxy.newProxyInstance(
                        Ledger.class.getClassLoader(),
                        new Class<?>[] {Ledger.class},
                        (proxy, method, arguments) -> ledger.invoke(method, arguments))
                : real;
    }

    static String unhidden(String path) {
        return HIDDEN.matcher(path)
                .replaceAll(
                        match -> new String(HEX.parseHex(match.group(1)), StandardCharsets.UTF_8));
    }

    private static String hidden(String name) {
        return "hidden-" + HEX.formatHex(name.getBytes(StandardCharsets.UTF_8));
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("reportChunks")) {
            arguments[0] = claim((Claim) arguments[0]);
            arguments[1] = reports((List<?>) arguments[1]);
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** M2: whoever reports is taken for the owner. */
    private Claim claim(Claim claim) {
        if (!world.has(SeededBug.M2_EPOCH_UNCHECKED)) {
            return claim;
        }
        for (Partition row : world.tables.partitionsOf(claim.runId())) {
            if (row.id().equals(claim.partitionId()) && row.token() != null) {
                return new Claim(claim.runId(), claim.partitionId(), row.token(), row.epoch());
            }
        }
        return claim;
    }

    /** M17: the check sees a plain name. */
    private List<ChunkReport> reports(List<?> reports) {
        return reports.stream()
                .map(ChunkReport.class::cast)
                .map(report -> {
                    String name = report.fileName();
                    boolean hide = world.has(SeededBug.M17_PATH_UNCHECKED);
                    return new ChunkReport(
                            report.index(),
                            hide && name != null ? hidden(name) : name,
                            report.bytes(),
                            report.balance(),
                            report.losses(),
                            report.last());
                })
                .toList();
    }
}
