package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.connection.AsItself;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RENAME-3, RENAME-4, MOVE-1, MOVE-2, QUEUE-1, TAKE-1: what commands move from one key to another
/// is lost by no end of the node, and by no other client.
@Timeout(300)
class RespMoveTest extends SharedNode {
  private static final int CLIENTS = 4;
  private static final int ELEMENTS = 200;

  /// Does no write from some step on, as a node that has ended.
  private static final class Ending extends BaseAsyncInterceptor {
    private int writesLeft;

    Ending(int writes) {
      writesLeft = writes;
    }

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (command instanceof WriteCommand && writesLeft-- <= 0) {
        throw new IllegalStateException("the node has ended");
      }
      return invokeNext(context, command);
    }
  }

  /// Ends the command after each of its steps in sequence: what it moves is under one key at least.
  @ParameterizedTest
  @CsvSource({
    "SET k value,         RENAME k o",
    "SET k value,         RENAMENX k o",
    "RPUSH k value,       RENAME k o",
    "RPUSH k value,       LMOVE k o LEFT RIGHT",
    "RPUSH k value,       LMOVE k o RIGHT LEFT",
    "RPUSH k value,       RPOPLPUSH k o",
    "RPUSH k value,       BLMOVE k o LEFT RIGHT 0",
    "RPUSH k value,       BRPOPLPUSH k o 0",
    "SADD k value,        SMOVE k o value",
  })
  void noStepLosesAValue(String make, String move) throws Exception {
    AsyncInterceptorChain chain =
        AsItself.call(() -> {
          Cache<?, ?> cache = node.caches().getCache("default");
          return ComponentRegistry.componentOf(cache, AsyncInterceptorChain.class);
        });
    try (RawResp redis = new RawResp(node.port())) {
      String answer = "-";
      for (int writes = 0; answer.startsWith("-"); writes++) {
        assertThat(writes).isLessThan(10);
        redis.call("DEL", "k", "o");
        redis.call(make.split(" "));
        chain.addInterceptor(new Ending(writes), 0);
        try {
          answer = redis.call(move.split(" "));
        } finally {
          chain.removeInterceptor(Ending.class);
        }
        assertThat(value(redis, "k") + value(redis, "o")).as("writes=" + writes).contains("value");
      }
      assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
      assertThat(value(redis, "o")).contains("value");
    }
  }

  private static String value(RawResp redis, String key) throws Exception {
    return switch (redis.call("TYPE", key)) {
      case "+string " -> redis.call("GET", key);
      case "+list " -> redis.call("LRANGE", key, "0", "-1");
      case "+set " -> redis.call("SMEMBERS", key);
      default -> "";
    };
  }

  /// Infinispan's own commands remove the element before they find that it cannot be added.
  @Test
  void aKeyOfAnotherTypeTakesNothing() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k", "o");
      redis.call("RPUSH", "k", "value");
      redis.call("SET", "o", "text");
      assertThat(redis.call("LMOVE", "k", "o", "LEFT", "RIGHT")).isEqualTo("-WRONGTYPE ");
      assertThat(redis.call("RPOPLPUSH", "k", "o")).isEqualTo("-WRONGTYPE ");
      assertThat(redis.call("LRANGE", "k", "0", "-1")).isEqualTo("*1 $5 value ");
    }
  }

  /// Each element is moved once, however many clients move from the same key.
  @Test
  void clientsThatMoveFromOneKeyShareWhatIsThere() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      List<String> expected = IntStream.range(0, ELEMENTS).mapToObj(n -> "e" + n).toList();
      for (String element : expected) {
        redis.call("RPUSH", "k", element);
      }
      List<String> moved = new ArrayList<>();
      for (List<String> each :
          byClients(
              (client, number) -> client.call("LMOVE", "k", "to" + number, "LEFT", "RIGHT"))) {
        each.forEach(answer -> moved.add(answer.split(" ")[1]));
      }
      assertThat(moved).containsExactlyInAnyOrderElementsOf(expected);
      int there = 0;
      for (int client = 0; client < CLIENTS; client++) {
        there += Integer.parseInt(redis.call("LLEN", "to" + client).substring(1).strip());
      }
      assertThat(there).isEqualTo(ELEMENTS);
    }
  }

  /// TAKE-1. Clients of both keys were given the same elements while others moved them.
  @ParameterizedTest
  @CsvSource({
    "RPUSH, LMOVE k o LEFT RIGHT, LPOP k,           LPOP o",
    "RPUSH, RPOPLPUSH k o,        RPOP k,           BLPOP o 0.01",
    "RPUSH, LMOVE k o LEFT LEFT,  BLPOP k 0.01,     RPOP o",
    "RPUSH, LMOVE k o LEFT LEFT,  BLMPOP 0.01 1 k LEFT, LPOP o",
    "SADD,  SMOVE k o %s,         SREM k %s,        SREM o %s",
    "SADD,  SMOVE k o %s,         SPOP k,           SPOP o",
  })
  void anElementIsTakenOnce(String add, String move, String ofOld, String ofNew) throws Exception {
    try (RawResp redis = new RawResp(node.port());
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      redis.call("DEL", "k", "o");
      Queue<String> taken = new ConcurrentLinkedQueue<>();
      var together = new CyclicBarrier(3);
      List<Future<?>> clients = new ArrayList<>();
      for (String call : List.of(move, ofOld, ofNew)) {
        clients.add(
            threads.submit(() -> {
              try (RawResp client = new RawResp(node.port())) {
                for (int number = 0; number < ELEMENTS; number++) {
                  String element = "e" + number;
                  if (call.equals(move)) {
                    client.call(add, "k", element);
                  }
                  together.await(1, TimeUnit.MINUTES);
                  String answer = client.call(call.replace("%s", element).split(" "));
                  if (!call.equals(move)) {
                    taken.addAll(elements(answer, element));
                  }
                }
              }
              return null;
            }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      assertThat(taken).doesNotHaveDuplicates();
    }
  }

  /// TAKE-1. Of 27,400 elements 784 were given to two clients.
  @Test
  void anElementIsTakenOnceByLmpop() throws Exception {
    List<String> words = new ArrayList<>(List.of("RPUSH", "k"));
    for (int number = 0; number < 2_000; number++) {
      words.add("e" + number);
    }
    try (RawResp redis = new RawResp(node.port());
        ExecutorService threads = Executors.newFixedThreadPool(9)) {
      redis.call("DEL", "k", "o");
      redis.call(words.toArray(String[]::new));
      Queue<String> taken = new ConcurrentLinkedQueue<>();
      List<Future<?>> clients = new ArrayList<>();
      for (String call : List.of("LMOVE k o LEFT RIGHT", "LMPOP 2 none k LEFT", "LPOP o")) {
        for (int client = 0; client < 3; client++) {
          clients.add(
              threads.submit(() -> {
                try (RawResp own = new RawResp(node.port())) {
                  while (!own.call("EXISTS", "k", "o").equals(":0 ")) {
                    String answer = own.call(call.split(" "));
                    if (!call.startsWith("LMOVE")) {
                      taken.addAll(elements(answer, ""));
                    }
                  }
                }
                return null;
              }));
        }
      }
      for (Future<?> client : clients) {
        client.get();
      }
      assertThat(taken).hasSize(2_000).doesNotHaveDuplicates();
    }
  }

  /// The elements that an answer gives to a client. A number is how many of the named one.
  private static List<String> elements(String answer, String named) {
    return answer.equals(":1 ")
        ? List.of(named)
        : Arrays.stream(answer.split(" ")).filter(word -> word.startsWith("e")).toList();
  }

  /// One of the clients that give a key names of their own is answered that it has.
  @Test
  void clientsThatRenameOneKeyDoNotBothHaveIt() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (int round = 0; round < 20; round++) {
        redis.call("SET", "k", "value" + round);
        long done =
            byClients((client, number) -> client.call("RENAME", "k", "mine" + number)).stream()
                .mapToLong(List::size)
                .sum();
        assertThat(done).isEqualTo(1);
      }
    }
  }

  /// However fast others write a key, its rename ends, and each write is under one name.
  @RepeatedTest(10)
  void aKeyThatOthersWriteIsRenamedWithWhatTheyWrote() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        RawResp redis = new RawResp(node.port())) {
      redis.call("FLUSHALL");
      List<Future<?>> writers = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        writers.add(
            threads.submit(() -> {
              try (RawResp writer = new RawResp(node.port())) {
                for (int write = 0; write < ELEMENTS; write++) {
                  assertThat(writer.call("INCR", "k")).startsWith(":");
                }
              }
              return null;
            }));
      }
      int names = 0;
      while (!writers.stream().allMatch(Future::isDone)) {
        redis.call("RENAME", "k", "n" + names++);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      redis.call("RENAME", "k", "n" + names++);
      long sum = 0;
      for (int name = 0; name < names; name++) {
        String value = redis.call("GET", "n" + name);
        sum += value.startsWith("$-1") ? 0 : Long.parseLong(value.split(" ")[1]);
      }
      assertThat(sum).isEqualTo(CLIENTS * ELEMENTS);
    }
  }

  private interface Step {
    String call(RawResp client, int number) throws Exception;
  }

  /// What clients were answered that each did the same until there was nothing.
  private static List<List<String>> byClients(Step step) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<List<String>>> answers = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        answers.add(
            threads.submit(() -> {
              List<String> mine = new ArrayList<>();
              try (RawResp redis = new RawResp(node.port())) {
                String answer = step.call(redis, number);
                while (!answer.startsWith("$-1") && !answer.startsWith("-")) {
                  mine.add(answer);
                  answer = step.call(redis, number);
                }
              }
              return mine;
            }));
      }
      List<List<String>> all = new ArrayList<>();
      for (Future<List<String>> each : answers) {
        all.add(each.get());
      }
      return all;
    }
  }
}
