package io.varve.bench.load;

import java.util.random.RandomGenerator;

/// Ranks from 0 with the Zipfian distribution of constant 0.99, as YCSB's `ZipfianGenerator` has
/// it; the method is that of Gray et al., "Quickly Generating Billion-Record Synthetic Databases"
/// (SIGMOD 1994, section 3.2). The number of items may grow. For one thread.
final class Zipfian {
  static final double CONSTANT = 0.99;

  private static final long TEN_BILLION = 10_000_000_000L;

  /// The sum of 1/i^0.99 for i up to ten billion, which takes minutes to compute; from YCSB.
  private static final double ZETA_TEN_BILLION = 26.46902820178302;

  private static final double ALPHA = 1 / (1 - CONSTANT);
  private static final double ZETA_TWO = 1 + Math.pow(0.5, CONSTANT);

  private final RandomGenerator random;
  private long itemCount;
  private double zeta;
  private double eta;

  private Zipfian(long itemCount, double zeta, RandomGenerator random) {
    this.random = random;
    this.itemCount = itemCount;
    this.zeta = zeta;
    eta = eta();
  }

  /// Over `itemCount` items; takes time in proportion to their number.
  static Zipfian of(long itemCount, RandomGenerator random) {
    return new Zipfian(itemCount, zeta(0, itemCount, 0), random);
  }

  /// Over ten billion items.
  static Zipfian ofTenBillion(RandomGenerator random) {
    return new Zipfian(TEN_BILLION, ZETA_TEN_BILLION, random);
  }

  /// A rank.
  long next() {
    double u = random.nextDouble();
    double uz = u * zeta;
    if (uz < 1) {
      return 0;
    }
    if (uz < ZETA_TWO) {
      return 1;
    }
    return (long) (itemCount * Math.pow(eta * u - eta + 1, ALPHA));
  }

  /// A rank, over a number of items that is not less than it was.
  long next(long items) {
    if (items > itemCount) {
      zeta = zeta(itemCount, items, zeta);
      itemCount = items;
      eta = eta();
    }
    return next();
  }

  private double eta() {
    return (1 - Math.pow(2.0 / itemCount, 1 - CONSTANT)) / (1 - ZETA_TWO / zeta);
  }

  private static double zeta(long from, long to, double sumSoFar) {
    double sum = sumSoFar;
    for (long i = from; i < to; i++) {
      sum += 1 / Math.pow((double) (i + 1), CONSTANT);
    }
    return sum;
  }
}
