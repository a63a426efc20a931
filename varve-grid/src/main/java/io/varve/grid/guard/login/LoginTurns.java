package io.varve.grid.guard.login;

import java.io.Serial;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which logins are carried out now, and which wait. Safe for threads, and blocks none.
///
/// - LOGIN-2 Some logins are carried out at a time, of one source after the other: to compare a
///   password takes a core for some hundredths of a second. So requests of those who have logged in
///   keep the other cores.
/// - LOGIN-3 A source is an address, or the first half of one of IPv6. After as many failures as it
///   may have, it begins one login in each [#PAUSE_SECONDS]. A right password is no failure, and
///   the next login begins immediately.
/// - LOGIN-4 A user who has logged in from an address is a source of its own there, and comes
///   first. One who guesses at the same address does not keep it out, unless by its name. It is the
///   user whom the login itself has found, not a name that a client states: else who states names
///   of its own making has as many sources.
/// - LOGIN-5 A login that has waited for [#WAIT_SECONDS_MAX] is refused, and nothing is compared.
///
/// Failures of [#SOURCES_MAX] addresses are known, and as many names. Addresses beyond that begin
/// without failures, and have LOGIN-2 alone.
public final class LoginTurns {
  static final int PAUSE_SECONDS = 10;
  static final int WAIT_SECONDS_MAX = 15;
  static final int SOURCES_MAX = 10_000;

  /// More than the connections that one address may have.
  private static final int WAITING_MAX = 4_096;

  /// LOGIN-4: turns of users who are known, before an address has one. HTTP/2 has a login for each
  /// request, so users who are known may always have one that waits.
  private static final int NAMES_IN_A_ROW_MAX = 16;

  private static final int NAME_CHARS_MAX = 256;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);

  /// A login that takes longer waits for something else, as another server that knows the users.
  private static final long COMPUTED_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /// What a login was.
  public enum Outcome {
    /// The client is let in.
    RIGHT,
    /// It is refused.
    WRONG,
    /// It continues, or has not begun.
    OPEN
  }

  /// Refuses a login of which nothing was compared.
  public static final class TooMany extends SecurityException {
    @Serial private static final long serialVersionUID = 1;

    TooMany() {
      super("too many logins from your address have failed: try again in half a minute");
    }
  }

  private final int failuresMax;
  private final int atATime;
  private final LongSupplier nanoClock;
  private final Executor soon;

  // All that follow are guarded by this.
  private final Map<String, Source> addresses = table();
  private final Map<String, Source> names = table(); // of users that have logged in
  private final SequencedSet<Source> waitingNames = new LinkedHashSet<>();
  private final SequencedSet<Source> waitingAddresses = new LinkedHashSet<>();
  private final SequencedSet<Turn<?>> computed = new LinkedHashSet<>();
  private int namesInARow; // had a turn
  private boolean looks; // soon, at those that wait

  private static Map<String, Source> table() {
    return new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
      @Serial private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Source> eldest) {
        return size() > SOURCES_MAX; // What waits there is in its set, and has its turn.
      }
    };
  }

  /// Where logins come from.
  private static final class Source {
    final Queue<Turn<?>> waiting = new ArrayDeque<>();
    int running;
    long forgivenNanos; // when the last of its failures counts no more
    boolean hasFailed;

    /// LOGIN-3: those that run may fail.
    boolean mayBegin(int failuresMax, long nowNanos) {
      long owedNanos = hasFailed ? Math.max(0, forgivenNanos - nowNanos) : 0;
      return failuresMax == 0
          || owedNanos / PAUSE_NANOS + running + (owedNanos % PAUSE_NANOS == 0 ? 0 : 1)
              < failuresMax;
    }

    void fail(long nowNanos) {
      boolean isForgiven = !hasFailed || forgivenNanos - nowNanos < 0;
      forgivenNanos = (isForgiven ? nowNanos : forgivenNanos) + PAUSE_NANOS;
      hasFailed = true;
    }
  }

  /// A login of a client.
  private static final class Turn<T> {
    final String address;
    final Source source;
    final Executor executor;
    final Supplier<CompletionStage<T>> login;
    final Function<T, Outcome> outcome;
    final Function<T, @Nullable String> user;
    final CompletableFuture<T> result = new CompletableFuture<>();
    long sinceNanos; // it waits, and then, it is computed

    Turn(
        String address,
        Source source,
        Executor executor,
        Supplier<CompletionStage<T>> login,
        Function<T, Outcome> outcome,
        Function<T, @Nullable String> user) {
      this.address = address;
      this.source = source;
      this.executor = executor;
      this.login = login;
      this.outcome = outcome;
      this.user = user;
    }
  }

  /// @param failuresMax of a source before it has to wait; 0 is no bound
  /// @param atATime logins that are carried out
  /// @param soon carries a task out after a short time
  LoginTurns(int failuresMax, int atATime, LongSupplier nanoClock, Executor soon) {
    this.failuresMax = failuresMax;
    this.atATime = atATime;
    this.nanoClock = nanoClock;
    this.soon = soon;
  }

  /// Carries a login out when it is its turn.
  ///
  /// @param address that it comes from
  /// @param name that its client states, null if it is not known
  /// @param executor that it begins in
  /// @param user who has logged in, if it is right
  /// @return what it returns, or [TooMany]
  <T> CompletableFuture<T> take(
      String address,
      @Nullable String name,
      Executor executor,
      Supplier<CompletionStage<T>> login,
      Function<T, Outcome> outcome,
      Function<T, @Nullable String> user) {
    String known = ofName(address, name);
    Turn<T> turn;
    synchronized (this) {
      Source ofName = known == null ? null : names.get(known);
      Source source =
          ofName == null ? addresses.computeIfAbsent(address, _ -> new Source()) : ofName;
      if (source.waiting.size() >= WAITING_MAX) {
        return CompletableFuture.failedFuture(new TooMany());
      }
      turn = new Turn<>(address, source, executor, login, outcome, user);
      turn.sinceNanos = nanoClock.getAsLong();
      source.waiting.add(turn);
      (ofName == null ? waitingAddresses : waitingNames).add(source);
    }
    look();
    return turn.result;
  }

  private static @Nullable String ofName(String address, @Nullable String name) {
    return name != null && name.length() <= NAME_CHARS_MAX ? address + ' ' + name : null;
  }

  /// Begins what may begin, and refuses what has waited too long.
  private void look() {
    List<Turn<?>> begun = new ArrayList<>();
    List<Turn<?>> refused = new ArrayList<>();
    synchronized (this) {
      long nowNanos = nanoClock.getAsLong();
      computed.removeIf(turn -> nowNanos - turn.sinceNanos >= COMPUTED_NANOS_MAX);
      refuse(waitingNames, nowNanos, refused);
      refuse(waitingAddresses, nowNanos, refused);
      for (Turn<?> next = next(nowNanos); next != null; next = next(nowNanos)) {
        begun.add(next);
      }
      if (!looks && !(waitingNames.isEmpty() && waitingAddresses.isEmpty())) {
        looks = true;
        soon.execute(this::lookAgain);
      }
    }
    refused.forEach(turn -> turn.result.completeExceptionally(new TooMany()));
    begun.forEach(this::begin);
  }

  private void lookAgain() {
    synchronized (this) {
      looks = false;
    }
    look();
  }

  /// LOGIN-5
  private static void refuse(SequencedSet<Source> waiting, long nowNanos, List<Turn<?>> refused) {
    for (Iterator<Source> sources = waiting.iterator(); sources.hasNext(); ) {
      Source source = sources.next();
      Turn<?> first = source.waiting.peek();
      while (first != null && nowNanos - first.sinceNanos >= WAIT_NANOS_MAX) {
        refused.add(source.waiting.remove());
        first = source.waiting.peek();
      }
      if (first == null) {
        sources.remove();
      }
    }
  }

  private @Nullable Turn<?> next(long nowNanos) {
    if (computed.size() >= atATime) { // LOGIN-2
      return null;
    }
    boolean isForNames = namesInARow < NAMES_IN_A_ROW_MAX;
    Turn<?> first = next(isForNames ? waitingNames : waitingAddresses, nowNanos);
    if (first != null) {
      namesInARow = isForNames ? namesInARow + 1 : 0;
      return first;
    }
    namesInARow = 0;
    return next(isForNames ? waitingAddresses : waitingNames, nowNanos);
  }

  private @Nullable Turn<?> next(SequencedSet<Source> waiting, long nowNanos) {
    for (Source source : waiting) {
      if (source.mayBegin(failuresMax, nowNanos)) {
        Turn<?> turn = source.waiting.remove();
        waiting.remove(source);
        if (!source.waiting.isEmpty()) {
          waiting.addLast(source);
        }
        source.running++;
        turn.sinceNanos = nowNanos;
        computed.add(turn);
        return turn;
      }
    }
    return null;
  }

  private <T> void begin(Turn<T> turn) {
    try {
      turn.executor.execute(() -> {
        CompletionStage<T> stage;
        try {
          stage = turn.login.get();
        } catch (RuntimeException e) {
          stage = CompletableFuture.failedFuture(e);
        }
        stage.whenComplete((value, failure) -> end(turn, value, failure));
      });
    } catch (RejectedExecutionException e) {
      end(turn, null, e); // The connection has ended with its event loop.
    }
  }

  @SuppressWarnings("NullAway") // What has not failed has its value.
  private <T> void end(Turn<T> turn, @Nullable T value, @Nullable Throwable failure) {
    Outcome outcome;
    String known = null;
    if (failure == null) {
      outcome = turn.outcome.apply(value);
      known = outcome == Outcome.RIGHT ? ofName(turn.address, turn.user.apply(value)) : null;
    } else {
      outcome = failure instanceof ClosedChannelException ? Outcome.OPEN : Outcome.WRONG;
    }
    synchronized (this) {
      computed.remove(turn);
      turn.source.running--;
      switch (outcome) {
        case WRONG -> turn.source.fail(nanoClock.getAsLong());
        case RIGHT -> {
          if (known != null) { // LOGIN-4
            names.computeIfAbsent(known, _ -> new Source());
          }
        }
        case OPEN -> {}
      }
    }
    look();
    if (failure == null) {
      turn.result.complete(value);
    } else {
      turn.result.completeExceptionally(failure);
    }
  }
}
