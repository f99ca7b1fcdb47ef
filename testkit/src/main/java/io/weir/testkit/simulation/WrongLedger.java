package io.weir.testkit.simulation;

import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.Partition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.regex.Pattern;

/** The commands; with a seeded bug some of them check less. */
final class WrongLedger {
    private static final Pattern EPOCH = Pattern.compile("/e=[0-9]+/");

    private final World world;
    private final Ledger real;

    private WrongLedger(World world, Ledger real) {
        this.world = world;
        this.real = real;
    }

    /** The ledger itself unless one of its checks has to be missing. */
    static Ledger around(World world, Ledger real) {
        boolean wrong = world.has(SeededBug.M2_EPOCH_UNCHECKED)
                || world.has(SeededBug.M17_PATH_WITHOUT_EPOCH);
        WrongLedger ledger = new WrongLedger(world, real);
        return wrong
                ? (Ledger) Proxy.newProxyInstance(
                        Ledger.class.getClassLoader(),
                        new Class<?>[] {Ledger.class},
                        (proxy, method, arguments) -> ledger.invoke(method, arguments))
                : real;
    }

    /** M17: what is left of a path. */
    static String withoutEpoch(String path) {
        return EPOCH.matcher(path).replaceFirst("/");
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("reportChunks")) {
            arguments[0] = claim((Claim) arguments[0]);
        }
        try {
            Object answer = method.invoke(real, arguments);
            return answer instanceof Optional<?> one ? one.map(this::order) : answer;
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

    /** M17. */
    private Object order(Object answer) {
        if (!(answer instanceof WorkOrder order) || !world.has(SeededBug.M17_PATH_WITHOUT_EPOCH)) {
            return answer;
        }
        return new WorkOrder(
                order.claim(),
                order.lease(),
                order.sourceTable(),
                order.snapshot(),
                order.range(),
                order.columns(),
                order.reading(),
                withoutEpoch(order.path()));
    }
}
