package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.metadata.Metadata;
import org.infinispan.metadata.impl.InternalMetadataImpl;
import org.jspecify.annotations.Nullable;

/// A time of the wall clock at which an entry expires, and the metadata that give it to one.
///
/// (TIME-1) The lifespan has begun now, whenever the entry is stored: an entry expires at the time
/// that was given, to the millisecond. (TIME-2) A time that has passed becomes one that has passed
/// by the clock of any node. So the entry is gone as soon as it is stored.
///
/// @param lifespan of the entry
/// @param createdMillis when that has begun
public record ExpiryTime(Metadata lifespan, long createdMillis) {
  private static final long MILLIS_OF_SECOND = 1_000;

  /// What metadata have of an entry that was not read.
  private static final long UNUSED = -1;

  static ExpiryTime of(long expiryMillis, long nowMillis) {
    boolean isOver = expiryMillis <= nowMillis;
    long createdMillis = isOver ? 0 : nowMillis; // Clocks differ.
    long lifespanMillis = isOver ? 1 : expiryMillis - nowMillis;
    return new ExpiryTime(
        new EmbeddedMetadata.Builder().lifespan(lifespanMillis, TimeUnit.MILLISECONDS).build(),
        createdMillis);
  }

  /// Metadata for a write.
  Metadata metadata() {
    return new InternalMetadataImpl(lifespan, createdMillis, UNUSED);
  }

  /// When an entry expires, empty if it never does.
  public static OptionalLong ofEntry(CacheEntry<?, ?> entry) {
    return entry.getLifespan() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(entry.getCreated() + entry.getLifespan());
  }

  /// The word of an option, in capital letters.
  public static String option(byte[] argument) {
    return new String(argument, US_ASCII).toUpperCase(Locale.ROOT);
  }

  /// The time that a command names; null if that is none, or not positive, as Redis has it.
  ///
  /// @param option `EX`, `PX`, `EXAT` or `PXAT`
  static @Nullable ExpiryTime parse(String option, byte[] number, long nowMillis) {
    try {
      long time = RespNumbers.toLong(number);
      long millis = Math.multiplyExact(time, option.startsWith("E") ? MILLIS_OF_SECOND : 1);
      long expiryMillis = option.endsWith("AT") ? millis : Math.addExact(millis, nowMillis);
      return time <= 0 ? null : of(expiryMillis, nowMillis);
    } catch (ArithmeticException | NumberFormatException _) {
      return null;
    }
  }
}
