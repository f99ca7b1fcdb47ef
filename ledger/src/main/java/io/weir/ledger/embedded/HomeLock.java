package io.weir.ledger.embedded;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one command at a time start, stop or look after the server of a home. The operating system
 * gives the lock back when its process dies.
 */
final class HomeLock {
    /** File locks are held by the whole JVM, so its threads need a lock of their own as well. */
    private static final ReentrantLock THREADS = new ReentrantLock();

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final FileChannel channel;
    private final FileLock lock;

    private HomeLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** Does the work while nobody else can. */
    static <T> T holding(ServerHome home, Supplier<T> work) {
        HomeLock lock = take(home);
        try {
            return work.get();
        } finally {
            lock.release();
        }
    }

    private static HomeLock take(ServerHome home) {
        enterThread(home);
        boolean taken = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    home.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            HomeLock lock = new HomeLock(channel, waitForFile(home, channel));
            taken = true;
            return lock;
        } catch (IOException e) {
            throw ServerHome.failure("Cannot lock " + home.lockFile(), e);
        } finally {
            if (!taken) {
                closeQuietly(channel);
                THREADS.unlock();
            }
        }
    }

    private void release() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw ServerHome.failure("Cannot unlock the embedded server", e);
        } finally {
            THREADS.unlock();
        }
    }

    private static void enterThread(ServerHome home) {
        try {
            if (!THREADS.tryLock(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw busy(home);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED,
                    "Cannot lock " + home.lockFile() + ": the command was asked to stop",
                    e);
        }
    }

    private static FileLock waitForFile(ServerHome home, FileChannel channel) {
        FileLock[] found = new FileLock[1];
        boolean taken = Waiting.until(LIMIT, () -> {
            found[0] = channel.tryLock();
            return found[0] != null;
        });
        if (!taken) {
            throw busy(home);
        }
        return found[0];
    }

    private static WeirException busy(ServerHome home) {
        return ServerHome.failure(
                "Cannot lock " + home.lockFile() + ": another command holds it (waited=" + LIMIT
                        + ")",
                null);
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The error that led here is the one to tell.
                return;
            }
        }
    }
}
