package io.weir.engine;

import io.weir.core.route.Route;

import java.nio.file.Path;

/**
 * A file to measure.
 *
 * @param route that every row of it should have
 */
public record RoutedFile(Path path, Route route) {}
