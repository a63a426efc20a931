package io.varve.grid.guard.resp.command;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.jspecify.annotations.Nullable;

/// The keys that clients of RESP wait for, in a process. Safe for threads.
///
/// - BLOCKED-6 What comes under a key is offered to one client of this process after the other. The
///   one that waits longest is the first. One that comes later takes nothing before those that wait
///   ([#isAwaited]).
/// - BLOCKED-7 One pass over the clients of a key is under way at a time. Each change is followed
///   by a pass that began after it. A pass ends for all clients that want the same type when one of
///   them found nothing. So a change costs a look for each client that it serves, and one more.
/// - BLOCKED-8 A key is here while clients wait for it.
/// - BLOCKED-9 A pass is over the clients that waited when it began. One that comes later asks for
///   the next pass. So a pass ends, and with it what waits for it, whatever clients come.
final class BlockedKeys {
  private static final ConcurrentMap<Name, Waiting> KEYS = new ConcurrentHashMap<>();

  private static final Reach NOTHING = new Reach(List.of());

  record Name(String cache, ByteBuffer key) {}

  private BlockedKeys() {}

  /// The type of the keys that a client takes from.
  enum Kind {
    LIST,
    SORTED_SET
  }

  /// A client that waits.
  interface Client {
    /// Its number, by which clients are in order.
    long number();

    Kind kind();

    /// The keys that it adds to what it takes.
    List<byte[]> movesTo();

    /// Has the client take from a key.
    ///
    /// @return whether another client may find something there
    CompletionStage<Boolean> offer(byte[] key);
  }

  /// The clients of one key by their numbers.
  private static final class Waiting {
    private final NavigableMap<Long, Client> clients = new ConcurrentSkipListMap<>();
    private final byte[] key;

    private @Nullable CompletableFuture<Void> current; // guarded by this
    private @Nullable CompletableFuture<Void> next; // guarded by this

    Waiting(byte[] key) {
      this.key = key;
    }

    CompletionStage<Void> serve() {
      var ended = new CompletableFuture<Void>();
      synchronized (this) {
        if (current != null) {
          if (next == null) {
            next = ended;
          }
          return next;
        }
        current = ended;
      }
      run(ended);
      return ended;
    }

    /// Makes one pass after the other while they are asked for, in a loop: the stack would grow by
    /// each pass that takes no time.
    @SuppressWarnings("FutureReturnValueIgnored") // The pass that follows reports.
    private void run(@Nullable CompletableFuture<Void> first) {
      CompletableFuture<Void> ended = first;
      while (ended != null) {
        CompletableFuture<Void> current = ended;
        CompletionStage<Void> pass = pass();
        if (!CompletionStages.isCompletedSuccessfully(pass)) {
          pass.whenComplete((_, _) -> run(following(current)));
          return;
        }
        ended = following(current);
      }
    }

    private @Nullable CompletableFuture<Void> following(CompletableFuture<Void> ended) {
      CompletableFuture<Void> following;
      synchronized (this) {
        following = next;
        next = null;
        current = following;
      }
      ended.complete(null);
      return following;
    }

    /// Ends with the passes that were asked for so far.
    synchronized CompletionStage<Void> served() {
      CompletableFuture<Void> last = next == null ? current : next;
      return last == null ? CompletableFuture.completedFuture(null) : last;
    }

    private CompletionStage<Void> pass() {
      Set<Kind> exhausted = EnumSet.noneOf(Kind.class);
      return CompletionStages.performSequentially(
          new InOrder(clients, exhausted),
          client ->
              client
                  .offer(key)
                  .thenAccept(found -> {
                    if (!found) {
                      exhausted.add(client.kind());
                    }
                  }));
    }
  }

  /// The clients that may find something, as they are when each is asked for. BLOCKED-9
  private static final class InOrder implements Iterator<Client> {
    private final NavigableMap<Long, Client> clients;
    private final Set<Kind> exhausted;
    private final long end;
    private long last = -1;
    private Map.@Nullable Entry<Long, Client> found;

    InOrder(NavigableMap<Long, Client> clients, Set<Kind> exhausted) {
      this.clients = clients;
      this.exhausted = exhausted;
      Map.Entry<Long, Client> youngest = clients.lastEntry();
      end = youngest == null ? -1 : youngest.getKey();
    }

    @Override
    public boolean hasNext() {
      found = clients.higherEntry(last);
      while (found != null && exhausted.contains(found.getValue().kind())) {
        found = clients.higherEntry(found.getKey());
      }
      if (found != null && found.getKey() > end) {
        found = null;
      }
      return found != null;
    }

    @Override
    public Client next() {
      if (found == null) {
        throw new NoSuchElementException();
      }
      last = found.getKey();
      return found.getValue();
    }
  }

  private static Name name(String cache, byte[] key) {
    return new Name(cache, ByteBuffer.wrap(key));
  }

  /// Whether clients wait for a key.
  static boolean isAwaited(String cache, byte[] key) {
    return KEYS.containsKey(name(cache, key));
  }

  /// The keys that a write of some others may change by the clients that wait for those.
  record Reach(List<Name> names) {
    /// As often as an element goes round in a circle of keys.
    private static final int ROUNDS_MAX = 8;

    private static final int NAMES_MAX = 64;

    boolean isEmpty() {
      return names.isEmpty();
    }

    /// Ends when the clients that wait for the keys were offered what is there.
    CompletionStage<Void> served() {
      List<Name> all = new ArrayList<>();
      for (int round = 0; round < Math.min(names.size(), ROUNDS_MAX); round++) {
        all.addAll(names);
      }
      return CompletionStages.performSequentially(
          all.iterator(),
          name -> {
            Waiting waiting = KEYS.get(name);
            return waiting == null ? CompletableFuture.completedFuture(null) : waiting.served();
          });
    }
  }

  /// Those of some keys that clients wait for, and those that such a client moves elements to.
  static Reach reach(String cache, List<byte[]> keys) {
    if (KEYS.isEmpty()) {
      return NOTHING;
    }
    Set<Name> reached = new LinkedHashSet<>();
    Deque<byte[]> left = new ArrayDeque<>(keys);
    while (!left.isEmpty() && reached.size() < Reach.NAMES_MAX) {
      Name name = name(cache, left.remove());
      Waiting waiting = KEYS.get(name);
      if (waiting != null && reached.add(name)) {
        waiting.clients.values().forEach(client -> left.addAll(client.movesTo()));
      }
    }
    return new Reach(List.copyOf(reached));
  }

  /// Has a client be offered what comes under keys.
  static void add(String cache, List<byte[]> keys, Client client) {
    for (byte[] key : keys) {
      KEYS.compute(
          name(cache, key),
          (_, known) -> {
            Waiting waiting = known == null ? new Waiting(key) : known;
            waiting.clients.put(client.number(), client);
            return waiting;
          });
    }
  }

  /// Has a client be offered nothing any more.
  static void remove(String cache, List<byte[]> keys, Client client) {
    for (byte[] key : keys) {
      KEYS.computeIfPresent(
          name(cache, key),
          (_, waiting) -> {
            waiting.clients.remove(client.number());
            return waiting.clients.isEmpty() ? null : waiting; // BLOCKED-8
          });
    }
  }

  /// Has what is under a key be offered to the clients that wait for it, after the transactions
  /// that run (BLOCKED-5).
  static void changed(String cache, byte[] key) {
    Name name = name(cache, key);
    RunningTransactions.after(name, () -> serve(cache, key));
  }

  /// Offers what is under a key to the clients that wait for it.
  ///
  /// @return ends with a pass that begins after this call
  static CompletionStage<Void> serve(String cache, byte[] key) {
    Waiting waiting = KEYS.get(name(cache, key));
    return waiting == null ? CompletableFuture.completedFuture(null) : waiting.serve();
  }
}
