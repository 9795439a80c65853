package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A port that is going to be listened on. */
record Port(int number, String option) {

    /** Fails with one line when nothing can listen on that number. */
    void requireNumber() {
        if (number < 1 || number > 65_535) {
            throw new Stop(option + " is from 1 to 65535, not " + number);
        }
    }

    /** Fails with one line when the port is taken, before anything is started. */
    void requireFree() {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), number));
        } catch (IOException e) {
            throw new Stop("port " + number + " is in use or not allowed (" + e.getMessage()
                    + "); free it or choose another with " + option + " N");
        }
    }
}
