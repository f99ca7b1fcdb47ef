package io.weir.core.explain;

import io.weir.core.run.RunId;

/** The commands that a person can type. */
final class Commands {
    static final Action START_WORKER = new Action("Start a worker process", "weir worker JOB.YAML");
    static final Action MORE_WORKERS =
            new Action("Start another worker process", "weir worker JOB.YAML");
    static final Action LOAD_AGAIN = new Action("Load again, as a new run", "weir load JOB.YAML");
    static final Action LOAD_AFTERWARDS =
            new Action("Load again once the run has ended", "weir load JOB.YAML");
    static final Action CHECK = new Action("Check ledger and tables", "weir fsck");

    private Commands() {}

    static Action cancel(RunId run) {
        return new Action("Cancel the run", "weir cancel " + run + " --reason TEXT");
    }

    static Action resend(RunId run) {
        return new Action("Remove the cause, then send the step again", "weir resend " + run);
    }

    static Action resolve(RunId run) {
        return new Action("Find out now whether it is published", "weir resolve " + run);
    }

    static Action show(RunId run) {
        return new Action("Look at run " + run, "weir show " + run);
    }

    static Action certificate(RunId run) {
        return new Action("Read the certificate", "weir certificate " + run);
    }

    /** Something to do outside of Weir. */
    static Action advice(String text) {
        return new Action(text, null);
    }
}
