package io.weir.app;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How this process is called in the ledger. */
public final class ProcessName {
    private ProcessName() {}

    /** Host and process id, such as {@code etl-3/4711}. */
    public static String get() {
        return host() + "/" + ProcessHandle.current().pid();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A host that does not know its own name works as well as any other.
            return "localhost";
        }
    }
}
