package io.varve.cache.mapreduce;

/// How far a job is.
///
/// @param phase what it does
/// @param entriesDone elements that mappers have taken and are done with
/// @param entriesTotal about how many there are; [Long#MAX_VALUE] if the stream does not know, and
///   too many if it has a filter
/// @param bytesDone of those elements, where they are entries of caches; otherwise 0
/// @param bytesTotal about the bytes of all, going by the mean of those that are done
/// @since 1.0
public record Progress(
    Phase phase, long entriesDone, long entriesTotal, long bytesDone, long bytesTotal) {
  /// What a job does.
  public enum Phase {
    /// Mappers take elements.
    MAPPING,
    /// Results are reduced and collated.
    REDUCING,
    /// Nothing any more: it has a result, or has failed, or was cancelled.
    DONE
  }

  /// The share of the elements that mappers are done with, 0 to 1.
  public double share() {
    return entriesTotal == 0 ? 1 : (double) entriesDone / entriesTotal;
  }
}
