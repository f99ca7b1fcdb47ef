package io.weir.testkit.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.RowDigest;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The writer of canonical bytes and the digest against vectors that no code of ours computed. */
class DigestVectorsTest {
    private static final List<DigestVector> VECTORS = DigestVectors.all();

    private final CanonicalRow row = new CanonicalRow();
    private final RowDigest digest = new RowDigest();

    @Test
    void everyVectorHasTheCanonicalBytesOfTheSpecification() {
        for (DigestVector vector : VECTORS) {
            WireRow.write(vector, row);
            String hex = HexFormat.of().formatHex(row.buffer(), 0, row.length());
            assertThat(hex).as(vector.name()).isEqualTo(vector.canonicalHex());
        }
    }

    @Test
    void everyVectorHasTheDigestOfTheReferenceImplementation() {
        for (DigestVector vector : VECTORS) {
            WireRow.write(vector, row);
            digest.compute(row);
            HexFormat format = HexFormat.of();
            String hex = format.toHexDigits(digest.high()) + format.toHexDigits(digest.low());
            assertThat(hex).as(vector.name()).isEqualTo(vector.digest());
        }
    }

    @Test
    void balanceOfAllVectorsIsTheSumOfTheirDigests() {
        BalanceSum sum = new BalanceSum();
        BigInteger expected = BigInteger.ZERO;
        for (DigestVector vector : VECTORS) {
            WireRow.write(vector, row);
            digest.compute(row);
            sum.add(digest);
            expected = expected.add(new BigInteger(vector.digest(), 16));
        }
        assertThat(expected.bitLength()).as("the sum wraps around").isGreaterThan(128);
        assertThat(sum.balance()).isEqualTo(Balance.of(VECTORS.size(), expected));
    }

    @Test
    void rowOfNullsHasNoBytesAndTheDigestThatThePageNames() {
        DigestVector nulls = named("every column NULL");
        assertThat(nulls.canonicalHex()).isEmpty();
        assertThat(nulls.digest()).isEqualTo("19aa06d3014798d86001c324468d497f");
    }

    @Test
    void vectorsThatTheContractCallsEqualHaveOneDigest() {
        assertThat(named("numeric(12,2) 1.20").digest())
                .isEqualTo(named("numeric(12,1) 1.2").digest());
        assertThat(named("numeric(12,2) 100.00").digest())
                .isEqualTo(named("numeric(3,0) 100").digest());
        assertThat(named("smallint -1").digest()).isEqualTo(named("bigint -1").digest());
        assertThat(named("real -1.5").digest())
                .isEqualTo(named("double precision -1.5").digest());
        assertThat(named("real nan").digest())
                .isEqualTo(
                        named("double precision nan with bits fff8000000000000").digest());
        assertThat(named("timestamptz 2026-11-29 03:04:05.678901+14:00").digest())
                .isEqualTo(named("timestamptz 2026-11-28 13:04:05.678901+00:00").digest());
    }

    @Test
    void vectorsThatTheContractCallsDifferentHaveDifferentDigests() {
        Set<String> texts = digestsOf("empty text is no NULL", "values moved by one column");
        assertThat(texts).hasSize(2);
        assertThat(digestsOf("split one", "split two")).hasSize(2);
        assertThat(digestsOf("real 0", "real -0.0", "numeric(1,0) 0", "bigint 0"))
                .hasSize(4);
        assertThat(digestsOf("text composed stays composed", "text decomposed stays decomposed"))
                .hasSize(2);
    }

    @Test
    void vectorsCoverEveryCanonicalTypeWithValueAndNull() {
        Set<CanonicalType> withValue = EnumSet.noneOf(CanonicalType.class);
        Set<CanonicalType> withNull = EnumSet.noneOf(CanonicalType.class);
        for (DigestVector vector : VECTORS) {
            for (VectorField field : vector.fields()) {
                CanonicalType type = field.column().canonicalType();
                (field.wireHex() == null ? withNull : withValue).add(type);
            }
        }
        assertThat(withValue).isEqualTo(EnumSet.allOf(CanonicalType.class));
        assertThat(withNull).isEqualTo(EnumSet.allOf(CanonicalType.class));
    }

    @Test
    void namesAreUnique() {
        assertThat(VECTORS.stream().map(DigestVector::name)).doesNotHaveDuplicates();
    }

    private static Set<String> digestsOf(String... names) {
        return List.of(names).stream()
                .map(name -> named(name).digest())
                .collect(Collectors.toSet());
    }

    private static DigestVector named(String name) {
        return VECTORS.stream()
                .filter(vector -> vector.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No vector named " + name));
    }
}
