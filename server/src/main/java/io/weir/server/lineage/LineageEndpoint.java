package io.weir.server.lineage;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Posts events to an address that the operator named. Redirects are not followed. */
final class LineageEndpoint implements LineageSink {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SUCCESS = 2;
    private static final int HUNDRED = 100;

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    LineageEndpoint(URI address) {
        this.address = address;
    }

    @Override
    public void take(String event) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(event))
                .build();
        try {
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status / HUNDRED != SUCCESS) {
                throw new IOException("it answered " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the thread is to stop", e);
        }
    }
}
