package io.varve.query.internal.access;

import io.varve.query.internal.expr.Scope;
import java.util.function.Consumer;

/// An index as the engine keeps it: decodes a row, and writes the values that are indexed.
///
/// @param form what the entries are made of
/// @param id of the definition
/// @param rows decodes the rows of the table
public record RowIndex(IndexForm form, String id, RowCodec<?, ?> rows) implements KeptIndex {
  @Override
  public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
    Scope row = rows.remembered(key, value);
    form.prefixes(row, prefixes);
  }
}
