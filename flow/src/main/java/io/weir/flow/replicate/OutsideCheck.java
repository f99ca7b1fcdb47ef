package io.weir.flow.replicate;

import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.flow.outsidelog.OutsideLook;
import io.weir.source.Refusal;
import io.weir.table.LakeCatalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What speaks against keeping tables from outside logs; changes nothing.
 *
 * @param files how many files each log has, by table; those with a refusal are not in it
 * @param refusals each with what mends it
 */
public record OutsideCheck(OutsideJob job, Map<String, Integer> files, List<Refusal> refusals) {
    public OutsideCheck {
        files = Map.copyOf(files);
        refusals = List.copyOf(refusals);
    }

    /** Looks at every file of every log. */
    public static OutsideCheck of(OutsideJob job, Engine engine, LakeCatalog catalog) {
        OutsideLook look = new OutsideLook(engine);
        List<String> known = catalog.tables();
        Map<String, Integer> files = new LinkedHashMap<>();
        List<Refusal> refusals = new ArrayList<>();
        for (OutsideTable table : job.tables()) {
            try {
                RowSchema rows =
                        known.contains(table.target()) || job.initial() == Initial.FROM_TABLE
                                ? catalog.replica(table.target()).rows()
                                : new RowSchema(
                                        look.columns(table.log(), table.name()),
                                        table.log().key());
                OutsideLook.requireSameKey(table.log(), table.name(), rows);
                files.put(table.name(), look.check(table.log(), table.name(), rows));
            } catch (WeirException e) {
                refusals.add(new Refusal(e.code(), e.text(), e.hint()));
            }
        }
        return new OutsideCheck(job, files, refusals);
    }
}
