package io.varve.grid.guard.resp.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of `SET`.
///
/// @param onlyAbsent whether the key is written only if it is not there (`NX`)
/// @param onlyPresent whether it is written only if it is there (`XX`)
/// @param returnsOld whether the value before is the reply (`GET`)
/// @param keeps whether the key keeps its time to live (`KEEPTTL`)
/// @param isTimed whether a time to live is named
/// @param time the one that is named, or null if it cannot be
record SetOptions(
    boolean onlyAbsent,
    boolean onlyPresent,
    boolean returnsOld,
    boolean keeps,
    boolean isTimed,
    @Nullable ExpiryTime time) {
  private static final SetOptions NONE = new SetOptions(false, false, false, false, false, null);

  /// The options that words name, or null if they are none or exclude each other.
  static @Nullable SetOptions parse(List<byte[]> words, long nowMillis) {
    SetOptions options = NONE;
    for (int at = 0; at < words.size(); at++) {
      String word = ExpiryTime.option(words.get(at));
      switch (word) {
        case "NX" -> options = options.with(true, options.onlyPresent);
        case "XX" -> options = options.with(options.onlyAbsent, true);
        case "GET" -> options = options.returningOld();
        case "KEEPTTL" -> {
          if (options.isTimed) {
            return null;
          }
          options = options.keeping();
        }
        case "EX", "PX", "EXAT", "PXAT" -> {
          if (options.isTimed || options.keeps || at + 1 == words.size()) {
            return null;
          }
          options = options.timed(ExpiryTime.parse(word, words.get(++at), nowMillis));
        }
        default -> {
          return null;
        }
      }
    }
    return options.onlyAbsent && options.onlyPresent ? null : options;
  }

  private SetOptions with(boolean absent, boolean present) {
    return new SetOptions(absent, present, returnsOld, keeps, isTimed, time);
  }

  private SetOptions returningOld() {
    return new SetOptions(onlyAbsent, onlyPresent, true, keeps, isTimed, time);
  }

  private SetOptions keeping() {
    return new SetOptions(onlyAbsent, onlyPresent, returnsOld, true, isTimed, time);
  }

  private SetOptions timed(@Nullable ExpiryTime named) {
    return new SetOptions(onlyAbsent, onlyPresent, returnsOld, keeps, true, named);
  }
}
