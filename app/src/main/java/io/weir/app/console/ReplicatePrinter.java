package io.weir.app.console;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.flow.load.LoadListener;
import io.weir.flow.replicate.ReplicateListener;
import io.weir.flow.replicate.TableResult;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;

import java.io.PrintWriter;

/** Prints what a replication does as it does it: lines, or one JSON document for each step. */
public final class ReplicatePrinter implements ReplicateListener {
    private final PrintWriter out;
    private final boolean json;
    private final LoadListener loads;

    public ReplicatePrinter(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
        this.loads = ProgressPrinter.of(
                out, json ? ProgressPrinter.Form.JSON : ProgressPrinter.Form.LINES);
    }

    @Override
    public LoadListener loads() {
        return loads;
    }

    @Override
    public void loaded(Replica replica) {
        LogPlace place = replica.verified();
        print(
                replica.target() + ": loaded at " + (place == null ? "-" : place.position()) + "\n",
                step("loaded", replica));
    }

    @Override
    public void merged(Replica replica, TableResult result) {
        ReplicaWindow window = result.window();
        if (window != null) {
            print(ReplicaText.of(window), (ObjectNode)
                    Json.object().put("step", "merged").setAll(ReplicaText.json(window)));
        }
    }

    @Override
    public void failed(Replica replica) {
        print(
                replica.target() + ": failed, tried again at "
                        + Texts.second(replica.nextAttemptAt()) + ": " + replica.failure() + "\n",
                step("failed", replica));
    }

    @Override
    public void waiting(WeirException cause) {
        print(
                "Waiting: " + cause.text() + "\n",
                Json.object()
                        .put("step", "waiting")
                        .put("code", cause.code().name())
                        .put("message", cause.text()));
    }

    @Override
    public void stopped(Replica replica) {
        Stop stop = replica.stop();
        if (stop != null) {
            print(ReplicaText.stop(replica, stop), step("stopped", replica));
        }
    }

    @Override
    public void cut(ReplicaCut cut) {
        print(
                "Cut " + cut.number() + " of job " + cut.job() + " at "
                        + cut.at().position() + ": "
                        + (cut.tables() - cut.missing().size()) + " of " + cut.tables()
                        + " tables"
                        + (cut.missing().isEmpty()
                                ? ""
                                : ", missing " + String.join(", ", cut.missing()))
                        + "\n",
                (ObjectNode) Json.object().put("step", "cut").setAll(ReplicaText.json(cut)));
    }

    private static ObjectNode step(String name, Replica replica) {
        return (ObjectNode) Json.object().put("step", name).setAll(ReplicaText.json(replica));
    }

    private synchronized void print(String text, ObjectNode document) {
        if (json) {
            out.println(Json.line(document));
        } else {
            out.print(text);
        }
        out.flush();
    }
}
