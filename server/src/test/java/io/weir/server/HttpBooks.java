package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.client.HttpLedger;
import io.weir.client.LedgerAddress;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.WorkLedger;
import io.weir.core.run.RunId;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.Digests;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;
import io.weir.server.access.TokenText;
import io.weir.server.http.Listen;
import io.weir.testkit.ledger.LedgerBooks;
import io.weir.testkit.ledger.PostgresBooks;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Books in PostgreSQL that are reached through two servers, one for each process. */
final class HttpBooks implements LedgerBooks {
    /** Calls that workers may not make. */
    private static final Set<String> OF_OPERATORS =
            Set.of("abortStream", "cancelRun", "resendDispatch");

    /** Two take what is due, a second one finds it taken; the third refuses what is not dead. */
    private static final Set<String> NEVER_THE_SAME =
            Set.of("leaseDispatches", "sweep", "resendDispatch");

    private final AtomicInteger faulty = new AtomicInteger();
    private final PostgresBooks books;
    private final List<WeirServer> servers = new ArrayList<>();
    private final List<FaultProxy> lines = new ArrayList<>();
    private final @Nullable Fault fault;
    private final WorkLedger ledger;
    private final WorkLedger other;

    /** @param fault what happens at every call that may be repeated; null for a healthy line */
    HttpBooks(LedgerSettings settings, @Nullable Fault fault) {
        this.fault = fault;
        this.books = new PostgresBooks(Path.of("target", "postgres"), settings);
        String worker = token(Role.WORKER, "worker");
        String operator = token(Role.OPERATOR, "somebody");
        this.ledger = over(books.ledger(), worker, operator);
        this.other = over(books.anotherProcess(), worker, operator);
    }

    private String token(Role role, String name) {
        TokenText text = TokenText.of(role, House.chance());
        books.ledger()
                .access()
                .create(
                        text.id(),
                        name,
                        role.text(),
                        List.of(),
                        Digests.sha256(text.text()),
                        Duration.ofDays(1),
                        new Actor("test", "admin", "-"));
        return text.text();
    }

    private WorkLedger over(PostgresLedger own, String worker, String operator) {
        WeirServer server = WeirServer.start(
                own,
                own.outside(OutsideSettings.DEFAULTS),
                own.access(),
                new ServerSettings(
                        Listen.of("127.0.0.1", 0, null, false),
                        null,
                        Set.of(),
                        Duration.ofSeconds(5),
                        null),
                UUID::randomUUID,
                House::chance);
        servers.add(server);
        FaultProxy line = FaultProxy.start(Protocol.HTTP, "127.0.0.1", server.port());
        lines.add(line);
        LedgerAddress address = LedgerAddress.parse("http://127.0.0.1:" + line.port());
        return eachToItsOwn(
                line,
                HttpLedger.of(address, worker, HttpLedger.TIMEOUT_DEFAULT),
                HttpLedger.of(address, operator, HttpLedger.TIMEOUT_DEFAULT));
    }

    /** The contract knows no roles: what operators do goes out with a token of theirs. */
    private WorkLedger eachToItsOwn(FaultProxy line, WorkLedger worker, WorkLedger operator) {
        return (WorkLedger) Proxy.newProxyInstance(
                WorkLedger.class.getClassLoader(),
                new Class<?>[] {WorkLedger.class},
                (proxy, method, arguments) -> {
                    boolean acts = OF_OPERATORS.contains(method.getName());
                    Call call = () -> invoke(acts ? operator : worker, method, arguments);
                    if (fault == null || NEVER_THE_SAME.contains(method.getName())) {
                        return call.make();
                    }
                    faulty.incrementAndGet();
                    line.at(request -> true, fault);
                    return fault == Fault.DUPLICATE ? call.make() : repeated(call);
                });
    }

    private interface Call {
        @Nullable
        Object make() throws Throwable;
    }

    private static @Nullable Object invoke(
            WorkLedger ledger, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(ledger, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** The first call is done, its answer lost; the second must answer as the first would have. */
    private static @Nullable Object repeated(Call call) throws Throwable {
        assertThatThrownBy(call::make)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE));
        return call.make();
    }

    /** Calls that went through the fault. */
    int faulty() {
        return faulty.get();
    }

    @Override
    public WorkLedger ledger() {
        return ledger;
    }

    @Override
    public WorkLedger anotherProcess() {
        return other;
    }

    @Override
    public void pass(Duration time) {
        books.pass(time);
    }

    @Override
    public Map<String, Map<String, String>> rows(RunId id) {
        return books.rows(id);
    }

    @Override
    public void close() {
        lines.forEach(FaultProxy::close);
        servers.forEach(WeirServer::close);
        books.close();
    }
}
