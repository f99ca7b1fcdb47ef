package io.weir.testkit.tidy;

/**
 * Where a rule is broken.
 *
 * @param line from 1; 0 for the whole file
 */
record Offence(String file, int line, String what) {
    @Override
    public String toString() {
        return line == 0 ? file + ": " + what : file + ":" + line + ": " + what;
    }
}
