package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Transactions of RESP by users of each role. EXECUTING-1, EXEC-1
@Timeout(300)
class RespExecTest {
  private static final String WITH_TRANSACTIONS = "with-transactions";

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() throws Exception {
    Users users = new Users(NodeDirectory.configuration(data));
    for (Role role : Role.values()) {
      users.set(name(role), "secret", role);
    }
    users.set("default", "secret", Role.APPLICATION);
    node = Serving.node(data, "--durability", "BACKGROUND");
    define(WITH_TRANSACTIONS, TransactionMode.TRANSACTIONAL);
    define("1", TransactionMode.NON_TRANSACTIONAL);
  }

  private static void define(String cache, TransactionMode mode) {
    var configuration = new ConfigurationBuilder();
    configuration.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM);
    configuration.security().authorization().enable();
    configuration.transaction().transactionMode(mode).lockingMode(LockingMode.PESSIMISTIC);
    Configuration built = configuration.build();
    AsItself.run(() -> node.caches().createCache(cache, built));
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private static RawResp client(Role role) throws IOException {
    var redis = new RawResp(node.port());
    assertThat(redis.call("AUTH", name(role), "secret")).isEqualTo("+OK ");
    return redis;
  }

  private static boolean mayWrite(Role role) {
    return role != Role.OBSERVER && role != Role.MONITOR;
  }

  /// More than once, so that what the first leaves does not harm the second.
  @ParameterizedTest
  @EnumSource
  void theRightsAreThoseOfTheCommands(Role role) throws Exception {
    try (RawResp redis = client(role);
        RawResp admin = client(Role.ADMIN)) {
      for (int run = 0; run < 3; run++) {
        admin.call("SET", "k", "before");
        admin.call("DEL", "l");
        redis.call("MULTI");
        redis.call("PING");
        redis.call("GET", "k");
        redis.call("SET", "k", "after");
        redis.call("RPUSH", "l", "a");
        assertThat(redis.call("EXEC"))
            .isEqualTo(
                switch (role) {
                  case ADMIN, DEPLOYER, APPLICATION -> "*4 +PONG $6 before +OK :1 ";
                  case OBSERVER -> "*4 +PONG $6 before -WRONGPASS -WRONGPASS ";
                  case MONITOR -> "*4 +PONG -WRONGPASS -WRONGPASS -WRONGPASS ";
                });
        assertThat(admin.call("GET", "k")).isEqualTo(mayWrite(role) ? "$5 after " : "$6 before ");
        assertThat(admin.call("LLEN", "l")).isEqualTo(mayWrite(role) ? ":1 " : ":0 ");
        assertThat(redis.call("SET", "k", "alone"))
            .as("outside of a transaction again")
            .isEqualTo(mayWrite(role) ? "+OK " : "-WRONGPASS ");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionMayBeDiscarded(Role role) throws Exception {
    try (RawResp redis = client(role)) {
      redis.call("MULTI");
      redis.call("SET", "discarded", "v");
      assertThat(redis.call("DISCARD")).isEqualTo("+OK ");
      assertThat(redis.call("EXEC")).isEqualTo("-ERR ");
      redis.call("MULTI");
      redis.call("NO-SUCH-COMMAND");
      assertThat(redis.call("EXEC")).isEqualTo("-EXECABORT ");
      assertThat(redis.call("PING")).isEqualTo("+PONG ");
    }
  }

  /// Infinispan has a right to listen, which an `OBSERVER` has not.
  @ParameterizedTest
  @EnumSource
  void usersThatMayWriteMayWatch(Role role) throws Exception {
    try (RawResp redis = client(role);
        RawResp admin = client(Role.ADMIN)) {
      if (!mayWrite(role)) {
        assertThat(redis.call("WATCH", "watched")).isEqualTo("-WRONGPASS ");
        return;
      }
      for (int run = 0; run < 2; run++) {
        assertThat(redis.call("WATCH", "watched")).isEqualTo("+OK ");
        redis.call("MULTI");
        redis.call("SET", "written", "v");
        admin.call("DEL", "written");
        admin.call("SET", "watched", "changed");
        assertThat(redis.call("EXEC")).isEqualTo("*-1 ");
        assertThat(redis.call("GET", "written")).isEqualTo("$-1 ");
        redis.call("WATCH", "watched");
        redis.call("MULTI");
        redis.call("SET", "written", "v");
        assertThat(redis.call("EXEC")).isEqualTo("*1 +OK ");
        assertThat(redis.call("GET", "written")).isEqualTo("$1 v ");
      }
    }
  }

  /// QUEUED-2
  @ParameterizedTest
  @EnumSource
  void noLoginComesIntoATransaction(Role role) throws Exception {
    try (RawResp redis = client(role)) {
      for (String login : List.of("AUTH admin secret", "HELLO 3 AUTH admin secret")) {
        redis.call("MULTI");
        assertThat(redis.call(login.split(" "))).isEqualTo("-ERR ");
        redis.call("SET", "by-login", "v");
        assertThat(redis.call("EXEC")).isEqualTo("-EXECABORT ");
        assertThat(redis.call("GET", "by-login"))
            .isEqualTo(role == Role.MONITOR ? "-WRONGPASS " : "$-1 ");
      }
      redis.call("MULTI");
      redis.call("SET", "k", "v");
      assertThat(redis.call("RESET")).isEqualTo("+RESET ");
      assertThat(redis.call("EXEC")).as("no user").isEqualTo("-WRONGPASS ");
      assertThat(redis.call("GET", "k")).isEqualTo("-WRONGPASS ");
      assertThat(redis.call("AUTH", name(role), "secret")).isEqualTo("+OK ");
      assertThat(redis.call("EXEC")).as("no transaction").isEqualTo("-ERR ");
    }
  }

  /// LOGIN-1
  @Test
  void anotherUserMayLogIn() throws Exception {
    try (RawResp redis = client(Role.APPLICATION)) {
      redis.call("SELECT", "1");
      assertThat(redis.call("SET", "of", "1")).isEqualTo("+OK ");
      assertThat(redis.call("AUTH", name(Role.OBSERVER), "wrong")).isEqualTo("-WRONGPASS ");
      assertThat(redis.call("SET", "of", "1")).as("the user is as before").isEqualTo("+OK ");
      assertThat(redis.call("RPUSH", "pushed", "a")).isEqualTo(":1 ");
      assertThat(redis.call("AUTH", name(Role.OBSERVER), "secret")).isEqualTo("+OK ");
      assertThat(redis.call("GET", "of")).as("the cache is as before").isEqualTo("$1 1 ");
      assertThat(redis.call("SET", "of", "2")).isEqualTo("-WRONGPASS ");
      assertThat(redis.call("RPUSH", "pushed", "b")).isEqualTo("-WRONGPASS ");
      assertThat(redis.call("HELLO", "3", "SETNAME", "n", "AUTH", name(Role.ADMIN), "secret"))
          .startsWith("%");
      assertThat(redis.call("SET", "of", "3")).isEqualTo("+OK ");
      assertThat(redis.call("RPUSH", "pushed", "c")).isEqualTo(":2 ");
      assertThat(redis.call("HELLO", "3")).startsWith("%");
      assertThat(redis.call("GET", "of")).isEqualTo("$1 3 ");
    }
  }

  /// GREETING-1. The connection had the name in each case.
  @Test
  void aGreetingThatIsRefusedNamesNothing() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      String user = name(Role.APPLICATION);
      assertThat(redis.call("HELLO", "3", "SETNAME", "first")).startsWith("-");
      assertThat(redis.call("HELLO", "3", "SETNAME", "second", "AUTH", user, "wrong"))
          .isEqualTo("-WRONGPASS ");
      assertThat(redis.call("HELLO", "3", "AUTH", user, "wrong", "SETNAME", "third"))
          .isEqualTo("-WRONGPASS ");
      assertThat(redis.call("AUTH", user, "secret")).isEqualTo("+OK ");
      assertThat(redis.call("HELLO", "4", "SETNAME", "fourth")).isEqualTo("-NOPROTO ");
      assertThat(redis.call("CLIENT", "INFO")).contains(" name= ");
      assertThat(redis.call("HELLO", "3", "AUTH", user, "secret", "SETNAME", "fifth"))
          .startsWith("%");
      assertThat(redis.call("CLIENT", "INFO")).contains(" name=fifth ");
    }
  }

  @Test
  void aPasswordAloneIsThatOfTheDefaultUser() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("AUTH", "wrong")).isEqualTo("-WRONGPASS ");
      assertThat(redis.call("AUTH", "secret")).isEqualTo("+OK ");
      assertThat(redis.call("SET", "of-default", "v")).isEqualTo("+OK ");
    }
  }

  /// QUESTION-1
  @ParameterizedTest
  @EnumSource
  void clientsMayAskWhatTheNodeIs(Role role) throws Exception {
    try (RawResp redis = client(role)) {
      assertThat(redis.call("INFO")).contains("redis_version:");
      assertThat(redis.call("CLUSTER", "SLOTS")).isEqualTo("-ERR ");
      assertThat(redis.call("CLUSTER", "NODES")).isEqualTo("-ERR ");
      boolean mayRead = role != Role.MONITOR;
      assertThat(redis.call("MEMORY", "USAGE", "no-such"))
          .isEqualTo(mayRead ? "$-1 " : "-WRONGPASS ");
      assertThat(redis.call("EXISTS", "no-such")).isEqualTo(mayRead ? ":0 " : "-WRONGPASS ");
      assertThat(redis.call("GET", "no-such")).isEqualTo(mayRead ? "$-1 " : "-WRONGPASS ");
      assertThat(redis.call("CLIENT", "LIST").startsWith("-WRONGPASS"))
          .isEqualTo(role != Role.ADMIN);
    }
    try (RawResp unknown = new RawResp(node.port())) {
      assertThat(unknown.call("INFO")).isEqualTo("-WRONGPASS ");
    }
  }

  @Test
  void aTransactionMaySelectAnotherCache() throws Exception {
    try (RawResp redis = client(Role.APPLICATION)) {
      redis.call("MULTI");
      redis.call("SET", "there", CacheContainer.DEFAULT_CACHE);
      redis.call("SELECT", "1");
      redis.call("SET", "there", "1");
      assertThat(redis.call("EXEC")).isEqualTo("*3 +OK +OK +OK ");
      assertThat(redis.call("GET", "there")).isEqualTo("$1 1 ");
      redis.call("SELECT", CacheContainer.DEFAULT_CACHE);
      assertThat(redis.call("GET", "there")).isEqualTo("$7 default ");
    }
  }

  /// Infinispan carries such a transaction out within its own.
  @ParameterizedTest
  @EnumSource
  void aCacheMayHaveTransactions(Role role) throws Exception {
    try (RawResp redis = client(role)) {
      assertThat(redis.call("SELECT", WITH_TRANSACTIONS)).isEqualTo("+OK ");
      for (int run = 0; run < 2; run++) {
        redis.call("MULTI");
        redis.call("SET", "k", "v" + run);
        redis.call("SET", "l", "v");
        redis.call("DEL", "l");
        assertThat(redis.call("EXEC"))
            .isEqualTo(mayWrite(role) ? "*3 +OK +OK :1 " : "*3 -WRONGPASS -WRONGPASS -WRONGPASS ");
        if (mayWrite(role)) {
          assertThat(redis.call("GET", "k")).isEqualTo("$2 v" + run + " ");
        }
      }
    }
  }

  /// EXECUTING-2
  @ParameterizedTest
  @EnumSource(names = {"ADMIN", "APPLICATION"})
  void aTransactionReadsWhatItHasWritten(Role role) throws Exception {
    for (String cache : List.of(WITH_TRANSACTIONS, "1")) {
      try (RawResp redis = client(role)) {
        redis.call("SELECT", cache);
        redis.call("DEL", "list", "hash", "members", "sorted");
        redis.call("MULTI");
        redis.call("RPUSH", "list", "a", "b");
        redis.call("LPUSH", "list", "c");
        redis.call("LLEN", "list");
        redis.call("LRANGE", "list", "0", "-1");
        redis.call("HSET", "hash", "f", "v");
        redis.call("HGETALL", "hash");
        redis.call("HGET", "hash", "f");
        redis.call("SADD", "members", "m");
        redis.call("SCARD", "members");
        redis.call("ZADD", "sorted", "1", "m");
        redis.call("ZSCORE", "sorted", "m");
        redis.call("TYPE", "list");
        assertThat(redis.call("EXEC"))
            .as(cache)
            .isEqualTo("*12 :2 :3 :3 *3 $1 c $1 a $1 b :1 *2 $1 f $1 v $1 v :1 :1 :1 $1 1 +list ");
        assertThat(redis.call("LRANGE", "list", "0", "-1")).isEqualTo("*3 $1 c $1 a $1 b ");
        assertThat(redis.call("HGET", "hash", "f")).isEqualTo("$1 v ");
      }
    }
  }

  /// EXEC-1
  @Test
  void aTransactionThatFailsEnds() throws Exception {
    define("removed", TransactionMode.NON_TRANSACTIONAL);
    try (RawResp redis = client(Role.APPLICATION);
        RawResp there = client(Role.APPLICATION)) {
      redis.call("SELECT", "removed");
      redis.call("SET", "k", "v", "EX", "1000");
      assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
      redis.call("SELECT", CacheContainer.DEFAULT_CACHE);
      redis.call("MULTI");
      redis.call("SET", "of-failed", "v");
      there.call("SELECT", "removed");
      there.call("MULTI");
      AsItself.run(() -> node.caches().administration().removeCache("removed"));
      assertThat(redis.call("EXEC")).isEqualTo("-ERR ");
      assertThat(redis.call("EXISTS", "of-failed")).isEqualTo(":0 ");
      assertThat(there.call("EXEC")).as("the connection ends").isEmpty();
    }
  }
}
