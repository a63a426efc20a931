package io.varve.bench.load;

import java.util.random.RandomGenerator;

/// Chooses records of a store to work on. For one thread.
@FunctionalInterface
public interface RecordChooser {
  /// A record that is present.
  long next();

  /// Every record alike.
  static RecordChooser uniform(Records records, RandomGenerator random) {
    return () -> random.nextLong(records.present());
  }

  /// Popular records all over the key space, as YCSB's `ScrambledZipfianGenerator`: the rank is
  /// drawn from a very large set and hashed onto the records, so popularity does not move when
  /// records are added.
  static RecordChooser zipfian(Records records, RandomGenerator random) {
    Zipfian ranks = Zipfian.ofTenBillion(random);
    return () -> Fnv.hash(ranks.next()) % records.present();
  }

  /// The newest records are the most popular, as YCSB's `SkewedLatestGenerator`.
  static RecordChooser latest(Records records, RandomGenerator random) {
    Zipfian ages = Zipfian.of(records.present(), random);
    return () -> {
      long present = records.present();
      return present - 1 - ages.next(present);
    };
  }
}
