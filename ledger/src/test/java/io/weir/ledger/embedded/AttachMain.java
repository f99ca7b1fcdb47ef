package io.weir.ledger.embedded;

import java.nio.file.Path;
import java.util.Map;

/** What a command does, as a process of its own: attaches and leaves. */
final class AttachMain {
    private AttachMain() {}

    public static void main(String[] arguments) {
        EmbeddedServer.attach(
                Path.of(arguments[0]), Map.of(EmbeddedServer.IDLE_SETTING, arguments[1]));
    }
}
