package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// COPY-1 to COPY-3: a copy is what its key was, and has a life of its own.
@Timeout(300)
class RespCopyTest extends SharedNode {
  private RawResp redis;

  @BeforeEach
  void connect() throws Exception {
    redis = new RawResp(node.port());
    redis.call("FLUSHALL");
  }

  private String call(String words) throws Exception {
    return redis.call(words.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    // what makes KEY, what changes it, what shows it
    "SET KEY abc,        APPEND KEY d,      GET KEY",
    "SET KEY abc,        SETRANGE KEY 1 x,  GET KEY",
    "RPUSH KEY a b,      RPUSH KEY c,       LRANGE KEY 0 -1",
    "RPUSH KEY a b,      LSET KEY 0 c,      LRANGE KEY 0 -1",
    "SADD KEY a,         SADD KEY b,        SMEMBERS KEY",
    "HSET KEY f 1,       HINCRBY KEY f 1,   HGETALL KEY",
    "ZADD KEY 1 a 2 b,   ZADD KEY 9 a,      ZRANGE KEY 0 -1 WITHSCORES",
    "PFADD KEY a,        PFADD KEY b,       PFADD KEY b",
  })
  void aCopyHasALifeOfItsOwn(String make, String change, String show) throws Exception {
    String value = show.startsWith("PFADD") ? ":1 " : null;
    call(make.replace("KEY", "k"));
    if (value == null) {
      value = call(show.replace("KEY", "k"));
    }
    assertThat(call("PEXPIRE k 1000000")).isEqualTo(":1 ");
    String time = call("PEXPIRETIME k");
    assertThat(call("COPY k c")).isEqualTo(":1 ");
    assertThat(call("PEXPIRETIME c")).isEqualTo(time);
    assertThat(call(change.replace("KEY", "c"))).doesNotStartWith("-");
    assertThat(call(show.replace("KEY", "k"))).isEqualTo(value);
    assertThat(call("PERSIST c")).isEqualTo(":1 ");
    assertThat(call("PEXPIRETIME k")).isEqualTo(time);
  }

  /// COPY-2
  @Test
  void aNameThatIsTakenIsReplacedWhereTheClientAsksForIt() throws Exception {
    call("SET k text");
    call("RPUSH list a");
    call("EXPIRE list 100");
    assertThat(call("COPY k list")).isEqualTo(":0 ");
    assertThat(call("LLEN list")).isEqualTo(":1 ");
    assertThat(call("COPY k list REPLACE")).isEqualTo(":1 ");
    assertThat(call("GET list")).isEqualTo("$4 text ");
    assertThat(call("TTL list")).isEqualTo(":-1 ");
    assertThat(call("COPY absent list REPLACE")).isEqualTo(":0 ");
    assertThat(call("GET list")).isEqualTo("$4 text ");
    call("SET short x PX 1");
    Thread.sleep(5);
    assertThat(call("COPY short other")).isEqualTo(":0 ");
    assertThat(call("COPY k short")).as("a name that has expired is free").isEqualTo(":1 ");
  }

  @Test
  void unlinkRemovesEachTypeAndCounts() throws Exception {
    call("SET k x");
    call("RPUSH l a");
    call("ZADD z 1 a");
    assertThat(call("UNLINK k l z absent")).isEqualTo(":3 ");
    assertThat(call("EXISTS k l z")).isEqualTo(":0 ");
    assertThat(call("UNLINK absent")).isEqualTo(":0 ");
  }
}
