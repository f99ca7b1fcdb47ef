package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A real ledger whose replies get lost on the way back, or are seen by a test. */
final class LossyLedger {
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    interface Seen {
        /** A call was refused. */
        void refused(String call, WeirException refusal);
    }

    /** The first reply to each kind of call is lost. */
    Ledger losingFirstReplies(Ledger ledger) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, arguments) -> {
                    Object reply = invoke(() -> method.invoke(ledger, arguments));
                    AtomicInteger number =
                            calls.computeIfAbsent(method.getName(), name -> new AtomicInteger());
                    if (number.incrementAndGet() == 1) {
                        throw new WeirException(
                                ErrorCode.LEDGER_UNREACHABLE,
                                "Cannot read the reply to " + method.getName() + ": it is lost");
                    }
                    return reply;
                });
    }

    /** Kinds of calls whose first reply was lost. */
    Set<String> lost() {
        return calls.keySet();
    }

    static Ledger watched(Ledger ledger, Seen seen) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, arguments) -> {
                    try {
                        return invoke(() -> method.invoke(ledger, arguments));
                    } catch (WeirException e) {
                        seen.refused(method.getName(), e);
                        throw e;
                    }
                });
    }

    /** Somebody sees each call by its name before it is made and after it was answered. */
    static Ledger hooked(Ledger ledger, Consumer<String> before, Consumer<String> after) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, arguments) -> {
                    before.accept(method.getName());
                    Object reply = invoke(() -> method.invoke(ledger, arguments));
                    after.accept(method.getName());
                    return reply;
                });
    }

    private interface Call {
        @Nullable
        Object run() throws InvocationTargetException, IllegalAccessException;
    }

    private static @Nullable Object invoke(Call call) throws Throwable {
        try {
            return call.run();
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }
}
