package io.varve.test.mutation;

import org.pitest.mutationtest.build.InterceptorParameters;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.build.MutationInterceptorFactory;
import org.pitest.plugin.Feature;
import org.pitest.plugin.FeatureParameter;

/// Makes pitest's feature `SAMPLE(seed[..] permille[..])`: see [Sample].
public final class SampleFactory implements MutationInterceptorFactory {
  private static final FeatureParameter SEED =
      FeatureParameter.named("seed").withDescription("picks the sample");
  private static final FeatureParameter PERMILLE =
      FeatureParameter.named("permille").withDescription("how many of 1,000 mutants are kept");

  @Override
  public MutationInterceptor createInterceptor(InterceptorParameters parameters) {
    return new Sample(
        parameters.getInteger(SEED).orElse(1), parameters.getInteger(PERMILLE).orElse(1_000));
  }

  @Override
  public Feature provides() {
    return Feature.named("SAMPLE")
        .withOnByDefault(false)
        // After the filters that drop mutants of code that the compiler made.
        .withOrder(Integer.MAX_VALUE)
        .withDescription(description())
        .withParameter(SEED)
        .withParameter(PERMILLE);
  }

  @Override
  public String description() {
    return "Random sample of mutants, the same for the same seed";
  }
}
