package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.testkit.postgresql.TestDatabase;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A source that is restarted: the stream ends and the next one loses nothing. */
class RestartTest {
    private static final Map<String, String> SETTINGS = Map.of("wal_level", "logical");

    @TempDir
    private Path home;

    private Tap tap;

    @BeforeEach
    void start() {
        tap = tap();
    }

    @AfterEach
    void stop() {
        EmbeddedServer.stop(home);
    }

    private Tap tap() {
        EmbeddedServer server = EmbeddedServer.attach(home, SETTINGS);
        server.createDatabase("shop");
        String url = server.url("shop");
        int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1, url.lastIndexOf('/')));
        return new Tap(
                new TestDatabase("127.0.0.1", port, "shop", server.user(), server.password()),
                "restarted");
    }

    private static List<@Nullable Object> ids(Tap.Transaction transaction) {
        return transaction.changes().stream()
                .map(StreamEvent.Change::after)
                .map(image -> Objects.requireNonNull(image).value(0))
                .toList();
    }

    @Test
    void aRestartedSourceSendsWhatWasNotConfirmedAgain() {
        tap.database.execute("create table k (id int primary key)");
        tap.publish("public.k");
        CaptureSpec spec = tap.spec("public.k");
        tap.capture().createSlot(spec);
        tap.database.execute("insert into k values (1)", "insert into k values (2), (3)");
        try (ChangeStream stream = tap.open(spec)) {
            Tap.Transaction first = Tap.transaction(stream);
            stream.confirm(first.commit());
            assertThat(tap.confirmedSince(first.commit())).isEqualTo("0");
            assertThat(ids(Tap.transaction(stream))).containsExactly(2, 3);
            EmbeddedServer.stop(home);
            assertThatThrownBy(() -> Tap.transaction(stream))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code().kind()).isEqualTo(ErrorKind.TRANSIENT));
        }
        assertThatThrownBy(() -> tap.capture().check(spec))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code().kind()).isEqualTo(ErrorKind.TRANSIENT));
        tap = tap();
        tap.database.execute("insert into k values (4)");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(ids(Tap.transaction(stream))).containsExactly(2, 3);
            assertThat(ids(Tap.transaction(stream))).containsExactly(4);
        }
    }
}
