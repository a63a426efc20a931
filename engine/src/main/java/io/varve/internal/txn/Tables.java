package io.varve.internal.txn;

import io.varve.Codec;
import io.varve.StoreFullException;
import io.varve.internal.file.SpaceDefinition;
import org.jspecify.annotations.Nullable;

/// Opens spaces as tables: with codecs that read what is there, and no others.
///
/// The first open of a space records the ids of the codecs. Keys keep theirs, since equal keys must
/// have equal bytes. Values may get a codec that reads the bytes of the one before, which is
/// recorded then: the older one is refused from then on, as it could not read what is written.
public final class Tables {
  private final Spaces spaces;

  /// Makes what opens the tables of a store.
  public Tables(Spaces spaces) {
    this.spaces = spaces;
  }

  /// The space of that name; null if there is none.
  ///
  /// @param values null for a set, which does not look at them
  /// @param readOnly whether nothing is recorded
  /// @throws IllegalArgumentException if it was written by other codecs
  public @Nullable LiveSpace find(
      String name, Codec<?> keys, @Nullable Codec<?> values, boolean readOnly) {
    SpaceDefinition given = given(name, keys, values);
    while (true) {
      LiveSpace space = IndexNames.isIndex(name) ? null : spaces.find(name);
      if (space == null || accepts(space, given, values, readOnly)) {
        return space;
      }
    }
  }

  /// The space of that name, as by [#find], made if there is none.
  public LiveSpace open(String name, Codec<?> keys, @Nullable Codec<?> values, boolean readOnly) {
    SpaceDefinition given = given(name, keys, values);
    while (true) {
      LiveSpace space = spaces.findOrCreate(given);
      if (accepts(space, given, values, readOnly)) {
        return space;
      }
    }
  }

  private static SpaceDefinition given(String name, Codec<?> keys, @Nullable Codec<?> values) {
    return new SpaceDefinition(name, id(keys), values == null ? "" : id(values));
  }

  /// Lets codecs open a space, and records them.
  ///
  /// @return false if another thread changed what is known of the space
  private boolean accepts(
      LiveSpace space, SpaceDefinition given, @Nullable Codec<?> values, boolean readOnly) {
    String keyCodec = given.keyCodec();
    String valueCodec = given.valueCodec();
    SpaceDefinition known = space.core().definition();
    if (!keyCodec.isEmpty() && !known.keyCodec().isEmpty() && !known.keyCodec().equals(keyCodec)) {
      throw refusal(known, "keys", known.keyCodec(), keyCodec);
    }
    if (values != null
        && !valueCodec.isEmpty()
        && !known.valueCodec().isEmpty()
        && !values.reads(known.valueCodec())) {
      throw refusal(known, "values", known.valueCodec(), valueCodec);
    }
    SpaceDefinition wanted =
        new SpaceDefinition(
            known.name(),
            keyCodec.isEmpty() ? known.keyCodec() : keyCodec,
            valueCodec.isEmpty() ? known.valueCodec() : valueCodec);
    return readOnly || wanted.equals(known) || record(space.core(), known, wanted);
  }

  /// @return false if another thread changed what is known
  private boolean record(SpaceCore space, SpaceDefinition known, SpaceDefinition wanted) {
    try {
      return spaces.define(space, known, wanted);
    } catch (StoreFullException e) {
      if (!known.valueCodec().isEmpty() && !known.valueCodec().equals(wanted.valueCodec())) {
        throw e; // Older codecs must be refused before anything is written that they cannot read.
      }
      return true; // What is there can be read. The next open records it.
    }
  }

  private static String id(Codec<?> codec) {
    String id = codec.id();
    if (id.length() > SpaceDefinition.CODEC_ID_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "id of a codec too long: length="
              + id.length()
              + ", max="
              + SpaceDefinition.CODEC_ID_LENGTH_MAX
              + "; give the codec a shorter one, Codec.named(id)");
    }
    return id;
  }

  private static IllegalArgumentException refusal(
      SpaceDefinition table, String part, String written, String given) {
    return new IllegalArgumentException(
        "the table was written by another codec: table="
            + table.name()
            + ", part="
            + part
            + ", written="
            + written
            + ", given="
            + given
            + "; open it with a codec that reads what is there"
            + (part.equals("values") && given.startsWith("record(")
                ? " (RecordCodec.withDefault for each component that was added)"
                : "")
            + ", or choose another name");
  }
}
