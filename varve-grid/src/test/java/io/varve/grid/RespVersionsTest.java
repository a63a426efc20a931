package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Replies by their bytes, as Redis 7 sends them: of version 2 until a client asks for another.
@Timeout(300)
class RespVersionsTest {
  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--resp-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static void fill(RawResp redis) throws Exception {
    redis.call("DEL", "sorted", "hash", "set", "text", "list");
    redis.call("ZADD", "sorted", "1", "a", "2.5", "b");
    redis.call("HSET", "hash", "field", "value");
    redis.call("SADD", "set", "m");
    redis.call("SET", "text", "x");
    redis.call("RPUSH", "list", "e");
  }

  /// Exporters of metrics and libraries ask for these, some by patterns.
  @Test
  void parametersAreFoundByPatterns() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("CONFIG", "GET", "databases")).isEqualTo("*2 $9 databases $1 1 ");
      assertThat(redis.call("CONFIG", "GET", "MAXMEMORY*", "save"))
          .isEqualTo("*6 $9 maxmemory $1 0 $16 maxmemory-policy $10 noeviction $4 save $0  ");
      assertThat(redis.call("CONFIG", "GET", "*")).startsWith("*14 $10 appendonly $2 no ");
      assertThat(redis.call("CONFIG", "GET", "nosuch")).isEqualTo("*0 ");
      assertThat(redis.call("CONFIG", "GET")).startsWith("-ERR");
      assertThat(redis.call("CONFIG", "SET", "maxmemory", "0")).isEqualTo("+OK ");
      // CONFIG-1: it was OK, and a client waited for events that never came.
      assertThat(redis.call("CONFIG", "SET", "maxmemory", "0", "notify-keyspace-events", "KEA"))
          .startsWith("-ERR");
      assertThat(redis.call("CONFIG", "SET", "maxmemory")).startsWith("-ERR");
      assertThat(redis.call("CONFIG", "SET", "notify-keyspace-events", "")).isEqualTo("+OK ");
      assertThat(redis.call("CONFIG", "RESETSTAT")).isEqualTo("+OK ");
      assertThat(redis.call("CONFIG", "NONSENSE")).startsWith("-ERR");
      redis.call("HELLO", "3");
      assertThat(redis.call("CONFIG", "GET", "save")).isEqualTo("%1 $4 save $0  ");
    }
  }

  /// The database and the user were `null`, at which libraries fail that read a number, and the
  /// version was always 3.
  @Test
  void aClientIsDescribedAsByRedis() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("CLIENT", "SETNAME", "a b")).startsWith("-ERR");
      assertThat(redis.call("CLIENT", "SETNAME", "me")).isEqualTo("+OK ");
      assertThat(redis.call("CLIENT", "INFO"))
          .matches(
              "\\$\\d+ id=\\d+ addr=127.0.0.1:\\d+ laddr=127.0.0.1:\\d+ name=me age=\\d+ flags=N db=0"
                  + " user=default lib-name= lib-ver= resp=2\\s+");
      assertThat(redis.call("CLIENT", "TRACKINGINFO"))
          .isEqualTo("*6 $5 flags *1 $3 off $8 redirect :-1 $8 prefixes *0 ");
      redis.call("HELLO", "3", "SETNAME", "you"); // which had no effect
      redis.call("HELLO", "3", "SETNAME", "a b");
      redis.call("HELLO", "3", "SETNAME", "a".repeat(1_025));
      assertThat(redis.call("CLIENT", "LIST")).contains(" name=you ", " resp=3");
      assertThat(redis.call("CLIENT", "LIST", "ID", "0")).isEqualTo("$0  ");
      assertThat(redis.call("CLIENT", "LIST", "NONSENSE")).startsWith("-ERR");
      // As Redis has it: an empty list would be that of clients which are not there.
      assertThat(redis.call("CLIENT", "LIST", "TYPE", "nonsense")).startsWith("-ERR");
      assertThat(redis.call("CLIENT", "LIST", "TYPE", "master")).isEqualTo("$0  ");
      assertThat(redis.call("CLIENT", "LIST", "ID", "x")).startsWith("-ERR");
      assertThat(redis.call("CLIENT", "TRACKINGINFO", "x")).startsWith("-ERR");
    }
  }

  /// INFO-1 and COMMAND-1. There was the name of a property, and names in capitals.
  @Test
  void whatANodeIsAndOffersIsNamedAsByRedis() throws Exception {
    for (String version : new String[] {"2", "3"}) {
      try (RawResp redis = new RawResp(node.port())) {
        redis.call("HELLO", version);
        assertThat(redis.call("INFO"))
            .contains("redis_git_sha1:00000000 ", "maxmemory_policy:noeviction ")
            .doesNotContain("${");
        assertThat(redis.call("INFO", "server", "nonsense")).contains("# Server ");
        assertThat(redis.call("INFO", "nonsense")).isEqualTo("$0  ");
        assertThat(redis.call("COMMAND", "LIST")).contains(" $3 get ").doesNotContain("GET", "@");
        assertThat(redis.call("COMMAND")).contains(" $3 get :2 ").doesNotContain("GET");
        assertThat(redis.call("COMMAND", "INFO", "get", "nosuch")).contains(" $3 get :2 ");
        assertThat(redis.call("COMMAND", "COUNT")).startsWith(":");
        assertThat(redis.call("PING")).isEqualTo("+PONG ");
      }
    }
  }

  @Test
  void repliesAreOfVersionTwoUntilAskedOtherwise() throws Exception {
    for (int port : new int[] {node.port(), node.respPort()}) {
      try (RawResp redis = new RawResp(port)) {
        assertThat(redis.call("GET", "absent")).isEqualTo("$-1 ");
        fill(redis);
        assertThat(redis.call("GET", "text")).isEqualTo("$1 x ");
        assertThat(redis.call("MGET", "text", "absent")).isEqualTo("*2 $1 x $-1 ");
        assertThat(redis.call("HGETALL", "hash")).isEqualTo("*2 $5 field $5 value ");
        assertThat(redis.call("SMEMBERS", "set")).isEqualTo("*1 $1 m ");
        assertThat(redis.call("ZSCORE", "sorted", "a")).isEqualTo("$1 1 ");
        assertThat(redis.call("ZSCORE", "sorted", "b")).isEqualTo("$3 2.5 ");
        assertThat(redis.call("ZRANGE", "sorted", "0", "-1", "WITHSCORES"))
            .isEqualTo("*4 $1 a $1 1 $1 b $3 2.5 ");
        assertThat(redis.call("ZRANGE", "sorted", "0", "-1")).isEqualTo("*2 $1 a $1 b ");
        assertThat(redis.call("ZRANGE", "sorted", "7", "8", "WITHSCORES")).isEqualTo("*0 ");
        assertThat(redis.call("HRANDFIELD", "hash", "1", "WITHVALUES"))
            .isEqualTo("*2 $5 field $5 value ");
        assertThat(redis.call("BLPOP", "absent", "0.01")).isEqualTo("*-1 ");
        assertThat(redis.call("LPOP", "absent", "2")).isEqualTo("*-1 ");
        assertThat(redis.call("LPOP", "absent")).isEqualTo("$-1 ");
        assertThat(redis.call("PING")).isEqualTo("+PONG ");
      }
    }
  }

  @Test
  void aClientChoosesItsVersionByHello() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      fill(redis);
      assertThat(redis.call("HELLO")).startsWith("*14 ").contains("proto :2 ");
      assertThat(redis.call("HELLO", "3")).startsWith("%7 ").contains("proto :3 ");
      assertThat(redis.call("GET", "absent")).isEqualTo("_ ");
      assertThat(redis.call("SMEMBERS", "set")).isEqualTo("~1 $1 m ");
      assertThat(redis.call("ZPOPMIN", "sorted", "1")).startsWith("*1 *2 $1 a ,1");
      assertThat(redis.call("HELLO", "4")).startsWith("-NOPROTO");
      assertThat(redis.call("HELLO", "nonsense")).startsWith("-NOPROTO");
      assertThat(redis.call("HELLO")).startsWith("%7 ").contains("proto :3 ");
      assertThat(redis.call("HELLO", "2", "SETNAME", "me")).startsWith("*14 ").contains(":2 ");
      assertThat(redis.call("GET", "absent")).isEqualTo("$-1 ");
      redis.call("HELLO", "3");
      redis.call("RESET");
      assertThat(redis.call("GET", "absent")).isEqualTo("$-1 ");
    }
  }

  @Test
  void whatIsTakenFromASetIsASet() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (String version : List.of("2", "3")) {
        redis.call("HELLO", version);
        fill(redis);
        String set = version.equals("2") ? "*" : "~";
        assertThat(redis.call("SPOP", "set", "0")).isEqualTo(set + "0 ");
        assertThat(redis.call("SPOP", "absent", "3")).isEqualTo(set + "0 ");
        assertThat(redis.call("SPOP", "text", "3")).isEqualTo("-WRONGTYPE ");
        redis.call("MULTI");
        redis.call("SPOP", "absent", "3");
        redis.call("SPOP", "set", "3");
        assertThat(redis.call("EXEC")).isEqualTo("*2 " + set + "0 " + set + "1 $1 m ");
      }
    }
  }

  /// The version changes between two replies, also where one write has both.
  @Test
  void pipelinesHaveTheVersionOfEachReply() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.send("GET absent\r\nHELLO 3\r\nGET absent\r\nHELLO 2\r\nGET absent\r\n");
      assertThat(redis.reply()).isEqualTo("$-1 ");
      assertThat(redis.reply()).startsWith("%7 ");
      assertThat(redis.reply()).isEqualTo("_ ");
      assertThat(redis.reply()).startsWith("*14 ");
      assertThat(redis.reply()).isEqualTo("$-1 ");
    }
  }

  @Test
  void transactionsHaveTheShapesOfTheirCommands() throws Exception {
    try (RawResp redis = new RawResp(node.port());
        RawResp other = new RawResp(node.port())) {
      fill(redis);
      redis.call("MULTI");
      redis.call("ZRANGE", "sorted", "0", "-1", "WITHSCORES");
      redis.call("GET", "absent");
      redis.call("LPOP", "absent", "1");
      assertThat(redis.call("EXEC")).isEqualTo("*3 *4 $1 a $1 1 $1 b $3 2.5 $-1 *-1 ");
      redis.call("MULTI");
      redis.call("GET", "absent");
      assertThat(redis.call("GET")).startsWith("-ERR");
      assertThat(redis.call("EXEC")).startsWith("-EXECABORT");
      assertThat(redis.call("GET", "absent")).isEqualTo("$-1 ");
      redis.call("WATCH", "text");
      redis.call("MULTI");
      redis.call("GET", "text");
      other.call("SET", "text", "y");
      assertThat(redis.call("EXEC")).isEqualTo("*-1 ");
    }
  }

  /// REPLIES-3
  @Test
  void scoresHaveNoFractionThatIsZero() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("HELLO", "3");
      redis.call("DEL", "z", "other");
      redis.call("ZADD", "z", "1", "a", "2.5", "b", "1e20", "c", "-inf", "d", "123456789012", "e");
      assertThat(redis.call("ZSCORE", "z", "a")).isEqualTo(",1 ");
      assertThat(redis.call("ZSCORE", "z", "none")).isEqualTo("_ ");
      assertThat(redis.call("ZMSCORE", "z", "a", "b", "none", "c"))
          .isEqualTo("*4 ,1 ,2.5 _ ,1e+20 ");
      assertThat(redis.call("ZINCRBY", "z", "2", "a")).isEqualTo(",3 ");
      assertThat(redis.call("ZADD", "z", "XX", "INCR", "1", "a")).isEqualTo(",4 ");
      assertThat(redis.call("ZRANGE", "z", "0", "-1", "WITHSCORES"))
          .isEqualTo(
              "*5 *2 $1 d ,-inf *2 $1 b ,2.5 *2 $1 a ,4 *2 $1 e ,123456789012 *2 $1 c ,1e+20 ");
      redis.call("MULTI");
      redis.call("ZSCORE", "z", "a");
      redis.call("PING");
      redis.call("GET", "absent");
      redis.call("ZPOPMAX", "z");
      assertThat(redis.call("EXEC")).isEqualTo("*4 ,4 +PONG _ *2 $1 c ,1e+20 ");
      assertThat(redis.call("BZPOPMAX", "z", "1")).isEqualTo("*3 $1 z $1 e ,123456789012 ");
      assertThat(redis.call("ZMPOP", "1", "z", "MAX")).isEqualTo("*2 $1 z *1 *2 $1 a ,4 ");
      redis.send("ZSCORE z b\r\nGET absent\r\nZSCORE z d\r\nZADD z 1 a\r\nZSCORE z a\r\n");
      for (String reply : List.of(",2.5 ", "_ ", ",-inf ", ":1 ", ",1 ")) {
        assertThat(redis.reply()).isEqualTo(reply);
      }
    }
  }

  /// REPLY-2: Infinispan writes a reply with 64 KiB of which version 2 has less.
  @Test
  void repliesThatAreShorterAtVersionTwoEndNoReading() throws Exception {
    int members = 4_000;
    try (RawResp redis = new RawResp(node.port(), 20_000)) {
      redis.call("DEL", "pairs");
      String[] add = new String[2 + 2 * members];
      add[0] = "ZADD";
      add[1] = "pairs";
      for (int member = 0; member < members; member++) {
        add[2 + 2 * member] = "" + member % 10;
        add[3 + 2 * member] = "member" + (1_000 + member);
      }
      assertThat(redis.call(add)).isEqualTo(":" + members + " ");
      for (int last = 2_500; last < members; last += 7) {
        assertThat(redis.call("ZRANGE", "pairs", "0", "" + last, "WITHSCORES"))
            .startsWith("*" + 2 * (last + 1) + " ");
        assertThat(redis.call("PING")).as("after %d", last).isEqualTo("+PONG ");
      }
    }
  }

  @Test
  void memoryIsThatOfAllTypes() throws Exception {
    String large = "x".repeat(1_000);
    try (RawResp redis = new RawResp(node.port())) {
      for (String make : List.of("SET", "RPUSH", "HSET f", "SADD", "ZADD 1")) {
        String[] words = make.split(" ");
        redis.call("DEL", "memory");
        if (words.length == 1) {
          redis.call(words[0], "memory", large);
        } else {
          redis.call(words[0], "memory", words[1], large);
        }
        String answer = redis.call("MEMORY", "USAGE", "memory");
        assertThat(answer).as(make).startsWith(":");
        assertThat(Integer.parseInt(answer.substring(1).strip())).isBetween(1_000, 2_000);
        assertThat(redis.call("memory", "usage", "memory", "SAMPLES", "0")).isEqualTo(answer);
      }
      assertThat(redis.call("MEMORY", "USAGE", "none")).isEqualTo("$-1 ");
      assertThat(redis.call("MEMORY", "USAGE")).startsWith("-ERR");
    }
  }

  /// The answer begins as that of Redis does, so that libraries take it for what it is.
  @Test
  void commandsThatAreNotThereAreUnknown() throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      for (String command :
          List.of(
              "OBJECT ENCODING a", "GETBIT a 0", "XADD a * f v", "EVAL return 0", "SSUBSCRIBE c")) {
        String[] words = command.split(" ");
        StringBuilder array = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
          array.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        socket.getOutputStream().write(array.toString().getBytes(US_ASCII));
        assertThat(in.readLine()).as(command).startsWith("-ERR unknown command");
      }
    }
  }

  @Test
  void linesOfWordsAreCommands() throws Exception {
    for (int port : new int[] {node.port(), node.respPort()}) {
      try (RawResp redis = new RawResp(port)) {
        redis.send("PING\r\n\r\nSET words \"two words\"\n");
        assertThat(redis.reply()).isEqualTo("+PONG ");
        assertThat(redis.reply()).isEqualTo("+OK ");
        assertThat(redis.call("GET", "words")).isEqualTo("$9 two words ");
        redis.send("GET 'words'\r\n");
        assertThat(redis.reply()).isEqualTo("$9 two words ");
        redis.send("GET \"words\r\n");
        assertThat(redis.reply()).isEqualTo("-ERR ");
        assertThat(redis.reply()).isEmpty();
      }
    }
  }

  @Test
  void linesOfAPageAreNoCommands() throws Exception {
    for (String first : new String[] {"POST / HTTP/1.1", "GET /x HTTP/1.1", "PUT /\r\nHost: x"}) {
      try (RawResp redis = new RawResp(node.respPort())) {
        redis.send(first + "\r\nHost: localhost\r\n\r\nSET page x\r\n");
        String reply = redis.reply();
        assertThat(reply.isEmpty() || (reply.startsWith("-ERR") && redis.reply().isEmpty()))
            .as(reply)
            .isTrue();
      }
    }
    try (RawResp redis = new RawResp(node.respPort())) {
      assertThat(redis.call("GET", "page")).isEqualTo("$-1 ");
    }
  }

  /// They were carried out, although their client had ended the connection.
  @Test
  void commandsAfterQuitAreNotCarriedOut() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("QUIT", "now")).isEqualTo("+OK ");
      assertThat(redis.reply()).as("the connection has ended").isEmpty();
    }
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "kept", "as it was");
      redis.send("*1\r\n$4\r\nQUIT\r\n*3\r\n$3\r\nSET\r\n$4\r\nkept\r\n$3\r\nnew\r\n");
      assertThat(redis.reply()).isEqualTo("+OK ");
      assertThat(redis.reply()).isEmpty();
    }
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("GET", "kept")).isEqualTo("$9 as it was ");
    }
  }
}
