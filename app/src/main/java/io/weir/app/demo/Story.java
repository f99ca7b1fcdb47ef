package io.weir.app.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.console.ProgressPrinter;
import io.weir.core.json.Json;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What the demo tells, to people or to a program, and what it has checked so far. */
final class Story {
    private final PrintWriter out;
    private final ProgressPrinter.Form form;
    private final List<Check> checks = new ArrayList<>();

    private record Check(String name, boolean ok) {}

    Story(PrintWriter out, ProgressPrinter.Form form) {
        this.out = out;
        this.form = form;
    }

    PrintWriter out() {
        return out;
    }

    ProgressPrinter.Form form() {
        return form;
    }

    boolean isJson() {
        return form == ProgressPrinter.Form.JSON;
    }

    /** For people only. */
    void say(String text) {
        if (!isJson()) {
            out.println(text);
            out.flush();
        }
    }

    /** For programs only. */
    void document(ObjectNode json) {
        if (isJson()) {
            out.println(Json.line(json));
            out.flush();
        }
    }

    void check(String name, boolean ok) {
        checks.add(new Check(name, ok));
    }

    boolean isWell() {
        return checks.stream().allMatch(Check::ok);
    }

    /** One line for each check. */
    void sayChecks() {
        checks.forEach(check -> say((check.ok() ? "ok      " : "FAILED  ") + check.name()));
    }

    void put(ArrayNode list) {
        checks.forEach(check -> list.addObject().put("name", check.name()).put("ok", check.ok()));
    }
}
