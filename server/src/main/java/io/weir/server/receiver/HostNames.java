package io.weir.server.receiver;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where the name of a host leads to at this moment; the next answer may be another. */
@FunctionalInterface
public interface HostNames {
    /** As the system says. */
    HostNames SYSTEM = InetAddress::getAllByName;

    /**
     * Every address of a host.
     *
     * @throws UnknownHostException if it leads nowhere
     */
    InetAddress[] addresses(String host) throws UnknownHostException;
}
