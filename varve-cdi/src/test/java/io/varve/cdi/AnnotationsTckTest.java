package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.jsr107.tck.annotation.InterceptionCacheNameOnEachMethodTest;
import org.jsr107.tck.annotation.InterceptionUsingCacheConfigTest;
import org.jsr107.tck.annotation.InterceptionUsingDefaultCacheNameTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// The tests of annotations in the conformance suite of JCache 1.1.1, on beans of Weld.
class AnnotationsTckTest {
  private static final int TESTS = 12;

  @Test
  void thePartOnAnnotationsPasses() {
    var listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    selectClass(InterceptionCacheNameOnEachMethodTest.class),
                    selectClass(InterceptionUsingCacheConfigTest.class),
                    selectClass(InterceptionUsingDefaultCacheNameTest.class))
                .build(),
            listener);
    assertThat(listener.getSummary().getFailures()).isEmpty();
    assertThat(listener.getSummary().getTestsSucceededCount()).isEqualTo(TESTS);
  }
}
