package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.engine.MergeResult;

/** Says of a window that does not fit what it means and what to do. */
final class MergeStops {
    private MergeStops() {}

    static MergeStop of(String table, MergeResult.Broken broken) {
        String rebuild = "weir rebuild " + table;
        String orContinue = rebuild + ", or weir continue " + table + " --reason TEXT";
        return switch (broken.kind()) {
            case CHANGE_OUT_OF_CHAIN ->
                stop(
                        ErrorCode.MERGE_CHAIN_BROKEN,
                        table,
                        "a change does not start from what the change before it left",
                        broken,
                        orContinue);
            case ROW_NOT_AS_BEFORE ->
                stop(
                        ErrorCode.MERGE_CHAIN_BROKEN,
                        table,
                        "a change does not start from the row that the table has",
                        broken,
                        orContinue);
            case KEY_TWICE ->
                stop(
                        ErrorCode.MERGE_KEY_NOT_UNIQUE,
                        table,
                        "a key would have two rows",
                        broken,
                        rebuild);
            case IMAGE_PARTIAL ->
                stop(
                        ErrorCode.MERGE_IMAGE_PARTIAL,
                        table,
                        "a change does not tell the whole row",
                        broken,
                        rebuild);
            case SUMS_DIFFER ->
                stop(
                        ErrorCode.MERGE_BALANCE_DIFFERS,
                        table,
                        "the changes add up to something else than the rows",
                        broken,
                        rebuild);
        };
    }

    private static MergeStop stop(
            ErrorCode code, String table, String kind, MergeResult.Broken broken, String command) {
        return new MergeStop(
                code,
                table,
                kind,
                broken.key(),
                broken.expected(),
                broken.found(),
                broken.place(),
                broken.ordinal(),
                command);
    }
}
