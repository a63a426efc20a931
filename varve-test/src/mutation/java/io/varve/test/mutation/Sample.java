package io.varve.test.mutation;

import java.util.Collection;
import java.util.SplittableRandom;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;

/// Keeps each mutant with the same probability, so that the score of what is kept estimates the
/// score of all.
///
/// A mutant is kept for what it is (class, method, instruction and mutator) and for the seed. So a
/// change of one class leaves the sample of the others as it was.
final class Sample implements MutationInterceptor {
  private final int seed;
  private final int permille;

  Sample(int seed, int permille) {
    this.seed = seed;
    this.permille = permille;
  }

  @Override
  public InterceptorType type() {
    return InterceptorType.FILTER;
  }

  @Override
  public void begin(ClassTree clazz) {}

  @Override
  public Collection<MutationDetails> intercept(
      Collection<MutationDetails> mutations, Mutater mutater) {
    return mutations.stream().filter(this::isKept).toList();
  }

  @Override
  public void end() {}

  private boolean isKept(MutationDetails mutation) {
    // The text of an identifier names nothing that differs between two runs.
    long mixed = ((long) seed << 32) ^ mutation.getId().toString().hashCode();
    return new SplittableRandom(mixed).nextInt(1_000) < permille;
  }
}
