package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// What a test needs of the machine, apart from a JDK. A machine that builds every change, which
/// shows it by the variable `CI`, must have it: there the test fails without. Elsewhere it is
/// skipped, and the report of the tests has the reason. docs/TESTING.md lists these tests.
public final class Required {
  private Required() {}

  /// Continues if something is there.
  ///
  /// @param reason what is missing, and where to have it from
  public static void require(boolean isThere, String reason) {
    assertThat(isThere || System.getenv("CI") == null)
        .as("this machine builds every change, and lacks what a test needs: " + reason)
        .isTrue();
    assumeTrue(isThere, "skipped: " + reason);
  }
}
