import com.sun.net.httpserver.HttpServer;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Prints its port, then one line for each call: its path and its body. Answers 202 to all. */
public final class Receiver {
    private Receiver() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(
                        exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                out.println(exchange.getRequestURI().getPath() + " " + body);
                exchange.sendResponseHeaders(202, -1);
            }
        });
        server.start();
        out.println(server.getAddress().getPort());
    }
}
