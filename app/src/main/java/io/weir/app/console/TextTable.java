package io.weir.app.console;

import java.util.ArrayList;
import java.util.List;

/** Rows under headers, columns as wide as their widest cell. */
public final class TextTable {
    private static final int CELL_MAX = 120;

    private final List<List<String>> rows = new ArrayList<>();
    private final String indent;

    public TextTable(List<String> headers) {
        this(headers, "");
    }

    TextTable(List<String> headers, String indent) {
        this.indent = indent;
        add(headers);
    }

    /** Adds a row with as many cells as there are headers; line ends in cells are shown as \n. */
    public void add(List<String> cells) {
        rows.add(cells.stream().map(TextTable::oneLine).toList());
    }

    private static String oneLine(String cell) {
        String line = cell.replace("\r", "\\r").replace("\n", "\\n");
        return line.length() <= CELL_MAX ? line : line.substring(0, CELL_MAX - 1) + "…";
    }

    @Override
    public String toString() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i));
                if (i < columns - 1) {
                    line.append(" ".repeat(widths[i] - length(row.get(i)) + 2));
                }
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
