package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/// Runs suites of Guava, which are of JUnit 3.
public final class GuavaSuite {
  private GuavaSuite() {}

  /// Runs all tests of a suite.
  ///
  /// @return how many there are
  public static int requirePasses(TestSuite suite) {
    TestResult result = new TestResult();
    suite.run(result);
    List<String> failed = new ArrayList<>();
    for (TestFailure failure : Collections.list(result.failures())) {
      failed.add(failure + "\n" + failure.trace());
    }
    for (TestFailure failure : Collections.list(result.errors())) {
      failed.add(failure + "\n" + failure.trace());
    }
    assertThat(failed.stream().limit(3))
        .as("the first of %d that failed, of %d tests", failed.size(), result.runCount())
        .isEmpty();
    return result.runCount();
  }
}
