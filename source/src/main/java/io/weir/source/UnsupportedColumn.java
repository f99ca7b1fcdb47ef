package io.weir.source;

/**
 * A column that is not read.
 *
 * @param type the type as the database writes it
 */
public record UnsupportedColumn(String name, String type) {}
