package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Ledger;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * A ledger that is called again while it cannot be reached. Every call of the port answers a
 * repetition as it answered the first time, so a restart of the books costs time and nothing else.
 */
final class PatientLedger {
    private static final Set<ErrorCode> AWAITED = Set.of(ErrorCode.LEDGER_UNREACHABLE);

    private PatientLedger() {}

    static Ledger over(Ledger ledger, Patience patience) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, arguments) -> patience.call(
                        method.getName() + " in the ledger",
                        AWAITED,
                        () -> invoke(ledger, method, arguments)));
    }

    private static @Nullable Object invoke(
            Ledger ledger, Method method, @Nullable Object @Nullable [] arguments) {
        try {
            return method.invoke(ledger, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("The ledger threw what it does not declare", e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The ledger is an interface", e);
        }
    }
}
