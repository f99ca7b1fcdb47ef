package io.weir.source.postgresql;

import io.weir.source.SourceMark;

import java.util.Optional;

/**
 * A column as the catalog has it.
 *
 * @param declaredType as declared; may be a domain
 * @param sourceType the declared type, or the base type of a domain
 * @param typeOid of the source type
 * @param typeModifier of the source type, −1 if there is none
 * @param typeKind {@code pg_type.typtype} of the source type
 */
record CatalogColumn(
        SourceMark mark,
        String name,
        String declaredType,
        String sourceType,
        int typeOid,
        int typeModifier,
        char typeKind,
        boolean notNull) {
    Optional<PostgresTypes.Mapping> mapping() {
        return PostgresTypes.map(typeOid, typeModifier, typeKind);
    }

    /**
     * What is selected to read the column. The one-byte type is cast, because its binary form is a
     * raw byte and its text form is what everybody sees.
     */
    String selectSql() {
        String quoted = RelationName.quote(name);
        return typeOid == PostgresTypes.CHAR_INTERNAL ? quoted + "::text" : quoted;
    }
}
