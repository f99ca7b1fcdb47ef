package io.weir.ingest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** A lake of its own for each test. */
abstract class HouseTest {
    @TempDir
    Path lake;

    IngestHouse house;

    @BeforeEach
    final void openHouse() {
        house = new IngestHouse(lake);
    }

    @AfterEach
    final void closeHouse() {
        house.close();
    }
}
