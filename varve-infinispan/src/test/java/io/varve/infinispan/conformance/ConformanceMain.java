package io.varve.infinispan.conformance;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;
import org.infinispan.commons.test.TestNGTestListener;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/// Runs tests of Infinispan, and prints which failed and how many of each class passed. The names
/// that TestNG reports collide, so that passes are counted as they come.
final class ConformanceMain {
  static final String FAILED = "test failed: ";
  static final String PASSED = "tests passed: ";

  /// An attribute of the result of a test that is done again.
  static final String ATTEMPTED_AGAIN = "attempted again";

  private ConformanceMain() {}

  public static void main(String[] classNames) throws Exception {
    Class<?>[] classes = new Class<?>[classNames.length];
    for (int i = 0; i < classNames.length; i++) {
      classes[i] = Class.forName(classNames[i]);
    }
    Counts counts = new Counts();
    TestNG testNg = new TestNG(false);
    testNg.setTestClasses(classes);
    testNg.setGroups("functional,unit,xsite");
    testNg.setExcludedGroups("unstable,stress");
    testNg.addListener((ITestNGListener) new TestNGTestListener());
    testNg.addListener((ITestNGListener) counts);
    testNg.run();
    counts.print();
    System.exit(counts.hasFailed ? 1 : 0); // threads of tests may be left
  }

  private static final class Counts extends TestListenerAdapter {
    private final Map<String, Integer> passed = new TreeMap<>();
    private boolean hasFailed;

    @Override
    public synchronized void onTestSuccess(ITestResult result) {
      passed.merge(result.getTestClass().getRealClass().getSimpleName(), 1, Integer::sum);
    }

    @Override
    public synchronized void onTestFailure(ITestResult result) {
      failed(result);
    }

    @Override
    public synchronized void onTestSkipped(ITestResult result) {
      if (result.getAttribute(ATTEMPTED_AGAIN) == null) {
        failed(result);
      }
    }

    @Override
    public synchronized void onConfigurationFailure(ITestResult result) {
      failed(result);
    }

    private void failed(ITestResult result) {
      hasFailed = true;
      StringWriter trace = new StringWriter();
      if (result.getThrowable() != null) {
        result.getThrowable().printStackTrace(new PrintWriter(trace));
      }
      System.out.println(
          FAILED
              + result.getTestClass().getName()
              + "."
              + result.getMethod().getMethodName()
              + ": "
              + trace);
    }

    synchronized void print() {
      passed.forEach((name, count) -> System.out.println(PASSED + name + "=" + count));
    }
  }
}
