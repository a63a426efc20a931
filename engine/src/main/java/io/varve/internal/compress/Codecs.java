package io.varve.internal.compress;

import io.varve.UnsupportedFormatException;
import io.varve.spi.PageCodec;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The codecs that there are: deflate, and those of modules that were added. Looked up when a store
/// opens, by the loader of the thread that opens it.
public final class Codecs {
  private static final PageCodec DEFLATE = new Deflate();

  /// What to do if one is missing.
  private static final String ADD =
      "; add the module that has it to the program: varve-compress has lz4 and zstd";

  private Codecs() {}

  /// The codec that a user has chosen, or null for none.
  ///
  /// @throws IllegalArgumentException if there is none of that name
  public static @Nullable PageCodec chosen(String name) {
    if (name.equals(CodecTable.NO_CODEC)) {
      return null;
    }
    PageCodec codec = find(one -> one.name().equals(name));
    if (codec == null) {
      throw new IllegalArgumentException(
          "no such compression: compression="
              + name
              + ", present="
              + installed()
                  .map(PageCodec::name)
                  .collect(Collectors.joining(", ", CodecTable.NO_CODEC + ", ", ""))
              + ADD);
    }
    CodecTable.check(codec);
    return codec;
  }

  /// The codec that the table of a file names.
  ///
  /// @param where the file is
  /// @throws UnsupportedFormatException if it is missing
  public static PageCodec needed(CodecTable.Entry entry, String where) {
    PageCodec codec = find(one -> one.id() == entry.id() && one.name().equals(entry.name()));
    if (codec == null) {
      throw new UnsupportedFormatException(
          "the store holds pages compressed by a codec that is missing: file="
              + where
              + ", compression="
              + entry.name()
              + ", codec="
              + entry.id()
              + ADD);
    }
    return codec;
  }

  /// The codec of a number.
  ///
  /// @return null if it is missing
  public static @Nullable PageCodec withId(int id) {
    return find(codec -> codec.id() == id);
  }

  private static @Nullable PageCodec find(Predicate<PageCodec> isMeant) {
    return installed().filter(isMeant).findFirst().orElse(null);
  }

  /// Lazy, so that no module is asked where the JDK's own codec is meant.
  private static Stream<PageCodec> installed() {
    Supplier<Stream<PageCodec>> added =
        () -> ServiceLoader.load(PageCodec.class).stream().map(ServiceLoader.Provider::get);
    return Stream.<Supplier<Stream<PageCodec>>>of(() -> Stream.of(DEFLATE), added)
        .flatMap(Supplier::get);
  }
}
