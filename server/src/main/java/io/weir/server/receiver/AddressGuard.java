package io.weir.server.receiver;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;

/**
 * Which addresses may be called. Hosts that the operator named are; of all others only those that
 * lead to public addresses, so that a receiver cannot be pointed at what only this machine reaches.
 */
public final class AddressGuard {
    private static final int UNIQUE_LOCAL_MASK = 0xfe;
    private static final int UNIQUE_LOCAL = 0xfc;
    private static final int SHARED_FIRST = 100;
    private static final int SHARED_MASK = 0xc0;
    private static final int SHARED_SECOND = 64;

    private final Set<String> allowed;
    private final HostNames names;

    /** @param allowed names of hosts that may be called whatever they lead to */
    public AddressGuard(Set<String> allowed, HostNames names) {
        this.allowed = Set.copyOf(allowed);
        this.names = names;
    }

    /**
     * Checks the form of an address, before anything is resolved.
     *
     * @throws WeirException {@link ErrorCode#RECEIVER_NOT_ALLOWED}
     */
    public URI check(String address) {
        URI uri;
        try {
            uri = URI.create(address);
        } catch (IllegalArgumentException e) {
            throw refused(address, "no address");
        }
        String scheme = uri.getScheme();
        boolean web =
                scheme != null && Set.of("http", "https").contains(scheme.toLowerCase(Locale.ROOT));
        if (!web || uri.getHost() == null) {
            throw refused(address, "no http or https address with a host");
        }
        boolean bare =
                uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
        if (!bare) {
            throw refused(uri.getHost(), "user, query or fragment in the address");
        }
        return uri;
    }

    /**
     * Looks up once where a host leads to. Only what is returned was checked: whoever connects has
     * to connect to it and must not look up the name again.
     *
     * @throws WeirException {@link ErrorCode#RECEIVER_NOT_ALLOWED}
     * @throws UnknownHostException if it leads nowhere
     */
    public InetAddress[] targets(String host) throws UnknownHostException {
        InetAddress[] addresses = names.addresses(host);
        if (!allowed.contains(host.toLowerCase(Locale.ROOT))) {
            for (InetAddress address : addresses) {
                if (!isPublic(address)) {
                    throw refused(host, "it leads to an address that is not public");
                }
            }
        }
        return addresses;
    }

    /** Whether anybody on the internet could reach the address. */
    static boolean isPublic(InetAddress address) {
        boolean special = address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress();
        byte[] bytes = address.getAddress();
        boolean uniqueLocal =
                address instanceof Inet6Address && (bytes[0] & UNIQUE_LOCAL_MASK) == UNIQUE_LOCAL;
        boolean shared = bytes.length == 4
                && bytes[0] == SHARED_FIRST
                && (bytes[1] & SHARED_MASK) == SHARED_SECOND;
        boolean none = bytes.length == 4 && bytes[0] == 0;
        return !special && !uniqueLocal && !shared && !none;
    }

    private static WeirException refused(String address, String why) {
        return new WeirException(
                ErrorCode.RECEIVER_NOT_ALLOWED, "Cannot call receiver " + address + ": " + why);
    }
}
