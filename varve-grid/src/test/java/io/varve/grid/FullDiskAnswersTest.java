package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.StoreFullException;
import io.varve.grid.BinaryMemcached.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.RemoveCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.CallInterceptor;
import org.infinispan.persistence.spi.PersistenceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What clients and monitors see of a node whose disk has no capacity for a write.
@Timeout(120)
class FullDiskAnswersTest extends SharedNode {
  private static final String[] HEADERS = {"Host: localhost", "Content-Type: text/plain"};

  private static volatile boolean isFull;

  /// Fails writes as a store does that has no capacity for them. Removals find some.
  private static final class Refusing extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (isFull && command instanceof WriteCommand && !(command instanceof RemoveCommand)) {
        var full = new StoreFullException("no capacity for the value: valueBytes=7");
        throw new PersistenceException(full.getMessage(), full);
      }
      return invokeNext(context, command);
    }
  }

  @BeforeEach
  void fill() throws IOException {
    for (String cache : new String[] {"default", "memcached"}) {
      AsyncInterceptorChain chain =
          ComponentRegistry.of(node.caches().getCache(cache))
              .getComponent(AsyncInterceptorChain.class);
      if (!chain.containsInterceptorType(Refusing.class)) {
        chain.addInterceptorBefore(new Refusing(), CallInterceptor.class);
      }
    }
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SET", "there", "v")).isEqualTo("+OK ");
    }
    isFull = true;
  }

  @AfterEach
  void free() {
    isFull = false;
  }

  private static RawHttp.Answer rest(String line, String body) throws IOException {
    return new RawHttp(node.port()).send(line, body, HEADERS);
  }

  /// FULL-1. The word is that of Redis whose disk is full; `ERR` is any failure.
  @Test
  void respAnswersMisconf() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SET", "k", "v")).isEqualTo("-MISCONF ");
      assertThat(redis.call("INCR", "count")).isEqualTo("-MISCONF ");
      assertThat(redis.call("RPUSH", "list", "a")).isEqualTo("-MISCONF ");
      assertThat(redis.call("MSET", "a", "1", "b", "2")).isEqualTo("-MISCONF ");
      assertThat(redis.call("MULTI")).isEqualTo("+OK ");
      assertThat(redis.call("SET", "k", "v")).isEqualTo("+QUEUED ");
      assertThat(redis.call("EXEC")).isEqualTo("*1 -MISCONF ");
      assertThat(redis.call("GET", "there")).isEqualTo("$1 v ");
      assertThat(redis.call("DEL", "there")).isEqualTo(":1 ");
    }
  }

  /// FULL-1, REST-1. A status of 500 is one of a fault of the node.
  @Test
  void restAnswersInsufficientStorage() throws Exception {
    RawHttp.Answer refused = rest("PUT /rest/v2/caches/default/k", "v");
    assertThat(refused.status()).as(refused.text()).isEqualTo(507);
    assertThat(refused.text()).contains("out of disk: no capacity for the value");
    assertThat(rest("GET /rest/v2/caches/default/there", "").status()).isEqualTo(200);
    assertThat(rest("DELETE /rest/v2/caches/default/there", "").status()).isEqualTo(204);
  }

  /// FULL-1
  @Test
  void memcachedAnswersThatItIsOutOfDisk() throws Exception {
    try (var socket = new Socket(Clients.HOST, node.port());
        var lines =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("set k 0 0 1\r\nv\r\n".getBytes(ISO_8859_1));
      assertThat(lines.readLine()).startsWith("SERVER_ERROR").contains(" out of disk: ");
      socket.getOutputStream().write("get k\r\n".getBytes(ISO_8859_1));
      assertThat(lines.readLine()).isEqualTo("END");
    }
  }

  /// FULL-1, MEMCACHED-1. None of these was answered: the client waited for good.
  @Test
  void binaryMemcachedAnswersThatItIsOutOfDisk() throws Exception {
    try (var memcached = new BinaryMemcached(node.port())) {
      int[] writes = {BinaryMemcached.SET, BinaryMemcached.ADD, BinaryMemcached.SET_QUIETLY};
      for (int operation : writes) {
        Answer refused = memcached.call(operation, BinaryMemcached.NO_FLAGS, "k", "v");
        assertThat(refused.status()).as("out of memory").isEqualTo(0x82);
        assertThat(refused.operation()).isEqualTo(operation);
        assertThat(refused.opaque()).isEqualTo(7);
        assertThat(refused.value()).contains("out of disk: ");
      }
      assertThat(memcached.call(BinaryMemcached.INCREMENT, new byte[20], "n", "").status())
          .isEqualTo(0x82);
      byte[] nothing = BinaryMemcached.NOTHING;
      assertThat(memcached.call(BinaryMemcached.NOOP, nothing, "", "").status()).isZero();
    }
  }

  /// HEALTH-1, FULL-2. It stays so for a minute, also where smaller values are stored again.
  @Test
  void healthIsDegradedWhileWritesAreRefused() throws Exception {
    assertThat(rest("PUT /rest/v2/caches/default/k", "v").status()).isEqualTo(507);
    assertHealthIs("DEGRADED");
    isFull = false;
    assertThat(rest("PUT /rest/v2/caches/default/k", "v").status()).isEqualTo(204);
    assertHealthIs("DEGRADED");
  }

  private static void assertHealthIs(String status) throws IOException {
    assertThat(rest("GET /rest/v2/container/health/status", "").text()).endsWith("\r\n" + status);
    assertThat(rest("GET /rest/v2/caches/default?action=health", "").text())
        .endsWith("\r\n" + status);
    String all = rest("GET /rest/v2/container/health", "").text();
    assertThat(all)
        .contains("\"health_status\":\"" + status + "\"")
        .contains("{\"status\":\"" + status + "\",\"cache_name\":\"default\"}")
        .contains("{\"status\":\"HEALTHY\",\"cache_name\":\"___protobuf_metadata\"}");
  }
}
