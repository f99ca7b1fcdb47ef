package io.weir.server.alert;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.PinnedClient;

import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;

/** Posts alerts to an address that the operator named and that is a secret: no text holds it. */
public final class AlertEndpoint implements AlertSink {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SUCCESS = 2;
    private static final int HUNDRED = 100;
    /** Answers that speak of the document, not of the address or the moment. */
    private static final Set<Integer> NEVER = Set.of(400, 413, 422);

    private final URI address;
    private final CloseableHttpClient client;

    private AlertEndpoint(URI address, AddressGuard guard) {
        this.address = address;
        this.client = PinnedClient.of(guard, TIMEOUT, 1);
    }

    /**
     * Connects to nothing yet.
     *
     * @param address http or https
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} without the address
     */
    public static AlertEndpoint of(String address, AddressGuard guard) {
        URI uri;
        try {
            uri = URI.create(address);
        } catch (IllegalArgumentException e) {
            throw refused("the address is none");
        }
        String scheme = String.valueOf(uri.getScheme());
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (!web || uri.getHost() == null) {
            throw refused("the address is no http or https address with a host");
        }
        if (uri.getUserInfo() != null || uri.getFragment() != null) {
            throw refused("the address has a user or a fragment (host=" + uri.getHost() + ")");
        }
        return new AlertEndpoint(uri, guard);
    }

    private static WeirException refused(String why) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot tell alerts: " + why,
                "Name an address such as https://host/hook, best as ${env:NAME}: it is a secret.",
                null);
    }

    @Override
    public void take(String document) throws IOException, RefusedException {
        HttpPost request = new HttpPost(address);
        request.setEntity(new StringEntity(document, ContentType.APPLICATION_JSON));
        int status;
        try {
            status = client.execute(request, response -> response.getCode());
        } catch (UnknownHostException e) {
            throw new IOException("its host is unknown", withoutText(e));
        } catch (IOException e) {
            throw new IOException(
                    "no answer (reason=" + e.getClass().getSimpleName() + ")", withoutText(e));
        } catch (WeirException e) {
            // Of the guard: it names the host and nothing else of the address.
            throw new IOException(e.text(), e);
        }
        if (NEVER.contains(status)) {
            throw new RefusedException("it answered " + status);
        }
        if (status / HUNDRED != SUCCESS) {
            throw new IOException("it answered " + status);
        }
    }

    /** Messages of clients may hold the address. */
    private static IOException withoutText(IOException error) {
        IOException bare = new IOException(error.getClass().getName());
        bare.setStackTrace(error.getStackTrace());
        return bare;
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
