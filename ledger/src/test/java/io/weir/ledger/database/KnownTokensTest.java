package io.weir.ledger.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.TestBooks;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.access.ApiToken;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.Digests;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Who is let in without a look, and that nobody is after a revocation or an end. */
class KnownTokensTest {
    private static final ApiToken TOKEN = new ApiToken(
            "id", "name", "worker", List.of(), Instant.EPOCH, Instant.EPOCH.plusSeconds(60), null);
    private static final Actor ADMIN = new Actor("me", "admin", "-");

    private final KnownTokens known = new KnownTokens();
    private final AtomicInteger looks = new AtomicInteger();

    private Optional<ApiToken> valid(Optional<KnownTokens.Found> found) {
        return known.valid("digest", digest -> {
            looks.incrementAndGet();
            return found;
        });
    }

    @Test
    void aTokenThatGoesOnIsLookedUpOnce() {
        Optional<KnownTokens.Found> found = Optional.of(new KnownTokens.Found(TOKEN, true));

        assertThat(valid(found)).contains(TOKEN);
        assertThat(valid(found)).contains(TOKEN);
        assertThat(looks).hasValue(1);
        known.outlive();
        assertThat(valid(Optional.empty())).isEmpty();
    }

    @Test
    void aTokenThatEndsSoonOrIsUnknownIsLookedUpEachTime() {
        Optional<KnownTokens.Found> ending = Optional.of(new KnownTokens.Found(TOKEN, false));

        assertThat(valid(ending)).contains(TOKEN);
        assertThat(valid(Optional.empty())).isEmpty();
        assertThat(valid(ending)).contains(TOKEN);
        assertThat(looks).hasValue(3);
    }

    @Test
    void aLookThatFailedIsTakenAgain() {
        WeirException failure = new WeirException(ErrorCode.LEDGER_UNREACHABLE, "Cannot look");
        assertThatThrownBy(() -> known.valid("digest", digest -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(valid(Optional.of(new KnownTokens.Found(TOKEN, true)))).contains(TOKEN);
    }

    @Test
    void whoComesDuringALookSharesIt() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch found = new CountDownLatch(1);
        CompletableFuture<Optional<ApiToken>> first =
                CompletableFuture.supplyAsync(() -> known.valid("digest", digest -> {
                    looking.countDown();
                    await(found);
                    return Optional.of(new KnownTokens.Found(TOKEN, true));
                }));
        looking.await();
        CompletableFuture<Optional<ApiToken>> second =
                CompletableFuture.supplyAsync(() -> valid(Optional.empty()));
        found.countDown();

        assertThat(first.get()).contains(TOKEN);
        assertThat(second.get()).contains(TOKEN);
        assertThat(looks).hasValue(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void noProcessAdmitsATokenAfterItsRevocationReturned() {
        try (Database database = open()) {
            AccessBooks here = database.access();
            AccessBooks there = database.access();
            create(here, "revoked", Duration.ofDays(1));
            assertThat(there.valid(Digests.sha256("revoked"))).isPresent();

            assertThat(here.revoke("revoked", ADMIN)).isPresent();
            assertThat(there.valid(Digests.sha256("revoked"))).isEmpty();
            assertThat(here.valid(Digests.sha256("revoked"))).isEmpty();
        }
    }

    @Test
    void noTokenIsAdmittedAfterItsEnd() {
        try (Database database = open()) {
            AccessBooks books = database.access();
            Instant end = create(books, "short", Duration.ofSeconds(2)).expiresAt();
            assertThat(books.valid(Digests.sha256("short"))).isPresent();
            boolean over = false;
            while (!over) {
                over = !now(database).isBefore(end);
                // Asked after the time was: what is over then is refused now.
                assertThat(books.valid(Digests.sha256("short")).isPresent() && over)
                        .isFalse();
            }
        }
    }

    private static ApiToken create(AccessBooks books, String id, Duration validFor) {
        return books.create(id, "test", "worker", List.of(), Digests.sha256(id), validFor, ADMIN);
    }

    private static Instant now(Database database) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(PostgresOutsideSql.NOW)
                        .map((rows, context) -> new Fields(rows).instant("now"))
                        .one());
    }

    private static Database open() {
        EmbeddedServer server = TestBooks.server();
        return Database.open(
                server.url(TestBooks.newDatabase()),
                server.user(),
                server.password(),
                2,
                Duration.ofSeconds(30));
    }
}
