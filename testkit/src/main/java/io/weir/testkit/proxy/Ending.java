package io.weir.testkit.proxy;

import java.io.IOException;
import java.net.Socket;

/** How a connection is cut. */
public enum Ending {
    /** The peer reads what was sent before, then the end. */
    CLOSE {
        @Override
        void end(Socket socket) throws IOException {
            socket.close();
        }
    },
    /** The peer gets a reset, and may lose what it had not read yet. */
    RESET {
        @Override
        void end(Socket socket) throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    };

    abstract void end(Socket socket) throws IOException;
}
