package io.varve.grid.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.login.LoginTurns.Outcome;
import io.varve.grid.guard.login.LoginTurns.TooMany;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// LOGIN-2 to LOGIN-5, by a clock of the test.
class LoginTurnsTest {
  private static final int FAILURES = 3;
  private static final String STRANGER = "192.0.2.1";
  private static final String OTHER = "192.0.2.2";

  private final Queue<Runnable> soon = new ArrayDeque<>();
  private final List<CompletableFuture<Outcome>> begun = new ArrayList<>();
  private @Nullable String found; // who logs in, null if it is whom the client states
  private long nanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5); // It passes its end.

  private LoginTurns turns(int atATime) {
    return new LoginTurns(FAILURES, atATime, () -> nanos, soon::add);
  }

  private CompletableFuture<Outcome> take(LoginTurns turns, String address, String name) {
    return turns.take(
        address,
        name,
        Runnable::run,
        () -> {
          CompletableFuture<Outcome> login = new CompletableFuture<>();
          begun.add(login);
          return login;
        },
        outcome -> outcome,
        _ -> found == null ? name : found);
  }

  private void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    for (int tasks = soon.size(); tasks > 0; tasks--) {
      soon.remove().run();
    }
  }

  private void end(int login, Outcome outcome) {
    begun.get(login).complete(outcome);
  }

  /// Has an address fail as often as it may.
  private void exhaust(LoginTurns turns, String address, String name) {
    for (int at = 0; at < FAILURES; at++) {
      take(turns, address, name);
      end(begun.size() - 1, Outcome.WRONG);
    }
    assertThat(begun).hasSize(FAILURES);
  }

  @Test
  void someAreCarriedOutAtATimeAndSourcesTakeTurns() {
    LoginTurns turns = turns(1);
    for (int at = 0; at < 3; at++) {
      take(turns, STRANGER, "alice");
    }
    CompletableFuture<Outcome> other = take(turns, OTHER, "bob");
    assertThat(begun).hasSize(1);
    end(0, Outcome.OPEN);
    end(1, Outcome.OPEN);
    assertThat(begun).hasSize(3);
    assertThat(other).as("the second source is second or third").isNotDone();
    end(2, Outcome.RIGHT);
    assertThat(other).isCompletedWithValue(Outcome.RIGHT);
  }

  @Test
  void afterSomeFailuresOneBeginsInEachPause() {
    LoginTurns turns = turns(2);
    exhaust(turns, STRANGER, "alice");
    take(turns, STRANGER, "alice");
    take(turns, STRANGER, "alice");
    pass(LoginTurns.PAUSE_SECONDS - 1);
    assertThat(begun).hasSize(FAILURES);
    pass(1);
    assertThat(begun).hasSize(FAILURES + 1);
    end(FAILURES, Outcome.WRONG);
    assertThat(begun).hasSize(FAILURES + 1);
    take(turns, OTHER, "alice");
    assertThat(begun).as("of another address").hasSize(FAILURES + 2);
  }

  @Test
  void aRightPasswordIsNoFailure() {
    LoginTurns turns = turns(2);
    exhaust(turns, STRANGER, "alice");
    CompletableFuture<Outcome> first = take(turns, STRANGER, "bob");
    CompletableFuture<Outcome> second = take(turns, STRANGER, "carol");
    pass(LoginTurns.PAUSE_SECONDS);
    end(FAILURES, Outcome.RIGHT);
    end(FAILURES + 1, Outcome.RIGHT);
    assertThat(first).isCompletedWithValue(Outcome.RIGHT);
    assertThat(second).isCompletedWithValue(Outcome.RIGHT);
  }

  @Test
  void aNameThatHasLoggedInIsNotKeptOut() {
    LoginTurns turns = turns(1);
    take(turns, STRANGER, "alice");
    end(0, Outcome.RIGHT);
    begun.clear();
    exhaust(turns, STRANGER, "bob");
    take(turns, STRANGER, "bob");
    assertThat(begun).hasSize(FAILURES);
    CompletableFuture<Outcome> known = take(turns, STRANGER, "alice");
    end(FAILURES, Outcome.RIGHT);
    assertThat(known).isCompletedWithValue(Outcome.RIGHT);
    take(turns, OTHER, "alice");
    end(FAILURES + 1, Outcome.OPEN);
    assertThat(begun).hasSize(FAILURES + 2);
  }

  /// Else a client with one password has as many sources as it makes up names.
  @Test
  void aNameIsThatOfTheUserWhoHasLoggedIn() {
    LoginTurns turns = turns(1);
    found = "mallory";
    take(turns, STRANGER, "made up");
    end(0, Outcome.RIGHT);
    begun.clear();
    exhaust(turns, STRANGER, "alice");
    take(turns, STRANGER, "made up");
    assertThat(begun).hasSize(FAILURES);
    take(turns, STRANGER, "mallory");
    assertThat(begun).hasSize(FAILURES + 1);
  }

  /// Users who are known may have a login that waits at any time, as with requests of HTTP/2.
  @Test
  void namesThatAlwaysWaitKeepOutNoAddress() {
    LoginTurns turns = turns(1);
    take(turns, STRANGER, "alice");
    end(0, Outcome.RIGHT);
    begun.clear();
    take(turns, STRANGER, "alice");
    CompletableFuture<Outcome> other = take(turns, OTHER, "bob");
    int known = 0;
    while (!other.isDone() && known < 100) {
      take(turns, STRANGER, "alice");
      end(begun.size() - 1, Outcome.RIGHT);
      known++;
    }
    assertThat(other).isCompletedWithValue(Outcome.RIGHT);
    assertThat(known).isGreaterThan(10);
  }

  @Test
  void theLargestBoundIsOne() {
    LoginTurns turns = new LoginTurns(Integer.MAX_VALUE, 1, () -> nanos, soon::add);
    for (int at = 0; at < 100; at++) {
      take(turns, STRANGER, "alice");
      end(at, Outcome.WRONG);
    }
    assertThat(begun).hasSize(100);
  }

  @Test
  void aNameThatHasLoggedInHasABoundOfItsOwn() {
    LoginTurns turns = turns(1);
    take(turns, STRANGER, "alice");
    end(0, Outcome.RIGHT);
    begun.clear();
    exhaust(turns, STRANGER, "alice");
    take(turns, STRANGER, "alice");
    assertThat(begun).hasSize(FAILURES);
    take(turns, STRANGER, "bob");
    assertThat(begun).as("another name of the address").hasSize(FAILURES + 1);
  }

  @Test
  void whatWaitsTooLongIsRefused() {
    LoginTurns turns = turns(1);
    exhaust(turns, STRANGER, "alice");
    List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
    for (int at = 0; at < 100; at++) {
      waiting.add(take(turns, STRANGER, "alice"));
    }
    pass(LoginTurns.PAUSE_SECONDS);
    end(FAILURES, Outcome.WRONG);
    pass(LoginTurns.WAIT_SECONDS_MAX - LoginTurns.PAUSE_SECONDS);
    assertThat(begun).hasSize(FAILURES + 1);
    assertThat(waiting.subList(1, 100))
        .allSatisfy(login ->
            assertThat(login)
                .isCompletedExceptionally()
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(TooMany.class));
  }

  /// As one that asks another server for its users.
  @Test
  void oneThatDoesNotEndHoldsUpNobodyElse() {
    LoginTurns turns = turns(1);
    take(turns, STRANGER, "alice");
    take(turns, OTHER, "bob");
    pass(1);
    assertThat(begun).hasSize(2);
    end(0, Outcome.WRONG);
    end(1, Outcome.RIGHT);
  }

  /// Failures that could still come count: many that are sent together try no more passwords.
  @Test
  void loginsThatAreSentTogetherHaveTheSameBound() {
    LoginTurns turns = turns(100);
    for (int at = 0; at < 100; at++) {
      take(turns, STRANGER, "alice");
    }
    assertThat(begun).hasSize(FAILURES);
    begun.getFirst().completeExceptionally(new ClosedChannelException());
    assertThat(begun).as("nothing was compared").hasSize(FAILURES + 1);
  }

  @Test
  void failuresOfManyAddressesAreForgotten() {
    LoginTurns turns = turns(1);
    exhaust(turns, STRANGER, "alice");
    for (int at = 0; at < LoginTurns.SOURCES_MAX; at++) {
      take(turns, "198.51.100." + at, "alice");
      end(begun.size() - 1, Outcome.WRONG);
    }
    take(turns, STRANGER, "alice");
    assertThat(begun).hasSize(FAILURES + LoginTurns.SOURCES_MAX + 1);
  }

  @Test
  void withoutABoundNoneWaitsForFailures() {
    LoginTurns turns = new LoginTurns(0, 1, () -> nanos, soon::add);
    for (int at = 0; at < 100; at++) {
      take(turns, STRANGER, "alice");
      end(at, Outcome.WRONG);
    }
    assertThat(begun).hasSize(100);
  }
}
