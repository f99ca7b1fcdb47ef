package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Stores;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.process.HolderStore;
import io.weir.ledger.process.LoopStore;
import io.weir.ledger.process.StreamStore;
import io.weir.ledger.process.WorkerStore;
import io.weir.ledger.publish.AttemptStore;
import io.weir.ledger.publish.TargetStore;
import io.weir.ledger.run.RunStore;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Real transactions whose clock stands still until it is moved, and which can be cut off. */
final class ShiftedBooks implements Transactions {
    private final Transactions inner;
    private final AtomicReference<Instant> clock;
    private final AtomicBoolean reachable = new AtomicBoolean(true);

    ShiftedBooks(Transactions inner) {
        this.inner = inner;
        this.clock = new AtomicReference<>(inner.run("read the clock", Books::now));
    }

    void move(Duration time) {
        clock.updateAndGet(now -> now.plus(time));
    }

    void setReachable(boolean value) {
        reachable.set(value);
    }

    @Override
    public <T> T run(String action, Function<Books, T> work) {
        refuseIfCutOff(action);
        return inner.run(action, books -> work.apply(new Books(new Shifted(books))));
    }

    @Override
    public <T> T read(String action, Function<Books, T> work) {
        refuseIfCutOff(action);
        return inner.read(action, books -> work.apply(new Books(new Shifted(books))));
    }

    private void refuseIfCutOff(String action) {
        if (!reachable.get()) {
            throw new WeirException(
                    ErrorCode.LEDGER_UNREACHABLE, "Cannot " + action + ": the cable is pulled");
        }
    }

    private final class Shifted implements Stores {
        private final Books books;

        Shifted(Books books) {
            this.books = books;
        }

        @Override
        public RunStore runs() {
            return books.runs();
        }

        @Override
        public PartitionStore partitions() {
            return books.partitions();
        }

        @Override
        public ChunkStore chunks() {
            return books.chunks();
        }

        @Override
        public MetricStore metrics() {
            return books.metrics();
        }

        @Override
        public DispatchStore dispatches() {
            return books.dispatches();
        }

        @Override
        public TargetStore targets() {
            return books.targets();
        }

        @Override
        public AttemptStore attempts() {
            return books.attempts();
        }

        @Override
        public EventStore events() {
            return books.events();
        }

        @Override
        public HolderStore holders() {
            return books.holders();
        }

        @Override
        public StreamStore streams() {
            return books.streams();
        }

        @Override
        public WorkerStore workers() {
            return books.workers();
        }

        @Override
        public LoopStore loops() {
            return books.loops();
        }

        @Override
        public Instant now() {
            return Objects.requireNonNull(clock.get(), "time of the clock");
        }

        @Override
        public UUID newId() {
            return books.newId();
        }
    }
}
