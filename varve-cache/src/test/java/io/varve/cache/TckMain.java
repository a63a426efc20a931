package io.varve.cache;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.Set;
import org.jsr107.tck.CachingTest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Runs the conformance suite of JCache, and prints how many tests succeeded and which failed.
final class TckMain {
  static final String FAILED = "test failed: ";
  static final String SUCCEEDED = "tests succeeded: ";
  static final String BEANS = "beans given: ";

  private TckMain() {}

  public static void main(String[] arguments) throws Exception {
    Path suite =
        Path.of(CachingTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClasspathRoots(Set.of(suite)))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    summary
        .getFailures()
        .forEach(failure ->
            System.out.println(
                FAILED
                    + failure.getTestIdentifier().getLegacyReportingName()
                    + ": "
                    + failure.getException()));
    System.out.println(SUCCEEDED + summary.getTestsSucceededCount());
    System.out.println(BEANS + SpringBeans.given());
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1); // threads of tests may be left
  }
}
