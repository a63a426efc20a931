package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.script.ScriptEngineManager;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The guide's table of what each role may do, cell by cell: by a node without users, and one with.
@Tag("slow")
@Timeout(300)
class RoleTableTest {
  private static final Path GUIDE = Path.of("..", "docs", "CLUSTER.md");
  private static final String HEAD = "| operation ";
  private static final String NOBODY = "no users";
  private static final String COUNTER =
      "{\"weak-counter\":{\"initial-value\":\"%s\",\"storage\":\"VOLATILE\"}}";
  private static final String CONVERT = "caches?action=convert&template=x";
  private static final String LIMITED = "<local-cache><memory max-size='%s'/></local-cache>";
  private static final String PROPERTY = "%24%7Bjava.class.path%7D";
  private static final String ALIASES = "&attribute-name=aliases&attribute-value=" + PROPERTY;
  private static final String SOURCE = "/rolling-upgrade/source-connection";
  private static final String INDEX = "caches/indexed/search/indexes?action=";
  private static final String INDEXED =
      "<local-cache><encoding media-type='application/x-protostream'/>"
          + "<indexing storage='local-heap'><indexed-entities>"
          + "<indexed-entity>Indexed</indexed-entity></indexed-entities></indexing></local-cache>";
  private static final String FILE_STORE =
      "<local-cache name='elsewhere'><persistence><file-store path='/tmp/elsewhere'/></persistence>"
          + "</local-cache>";

  @TempDir static Path data;

  private static Node open;
  private static Node closed;
  private static SSLContext trust;
  private static final List<Client> CLIENTS = new ArrayList<>();

  /// The caller: a role, or any client that reaches a node without users.
  private record Client(String name, HttpClient http, URI node) {
    int rest(String method, String path, String body, String type) {
      return send(method, path, body, type, BodyHandlers.ofString(UTF_8));
    }

    int send(String method, String path, String body, String type, BodyHandler<?> handler) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(node.resolve("/rest/v2/" + path.replace("ME", label())))
              .method(method, BodyPublishers.ofString(body))
              .header("Content-Type", type);
      if (!name.equals(NOBODY)) {
        String user = Base64.getEncoder().encodeToString((label() + ":secret").getBytes(UTF_8));
        request.header("Authorization", "Basic " + user);
      }
      try {
        HttpResponse<?> answer = http.send(request.build(), handler);
        Object text = answer.body();
        assertThat(answer.statusCode()).as(method + " " + path + text).isNotEqualTo(401);
        if (text instanceof InputStream events) {
          events.close();
        } else {
          assertThat(text.toString()).doesNotContain(System.getProperty("java.class.path"));
        }
        return answer.statusCode();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    String label() {
      return name.toLowerCase(Locale.ROOT).replace(" ", "");
    }

    int port() {
      return node.getPort();
    }

    RawResp resp() throws IOException {
      if (name.equals(NOBODY)) {
        return new RawResp(new Socket("localhost", port()));
      }
      var redis = new RawResp(trust.getSocketFactory().createSocket("localhost", port()));
      assertThat(redis.call("AUTH", label(), "secret")).isEqualTo("+OK ");
      return redis;
    }
  }

  /// An attempt, and whether it was carried out. A reason other than a lack of rights, as that what
  /// is named is not there, means that it would have been.
  private interface Operation {
    boolean attempt(Client client);
  }

  private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();

  private static Operation rest(String method, String path) {
    return rest(method, path, "", "text/plain");
  }

  private static Operation rest(String method, String path, String body, String type) {
    return client -> client.rest(method, path, body, type) != 403;
  }

  /// Listens to events, whose stream does not end.
  private static Operation listen(String path) {
    return client ->
        client.send("GET", path, "", "text/plain", BodyHandlers.ofInputStream()) != 403;
  }

  private static Operation redis(Consumer<RedisCommands<String, String>> commands) {
    return client -> {
      RedisURI.Builder uri =
          RedisURI.builder()
              .withHost("localhost")
              .withPort(client.port())
              .withSsl(client.node().getScheme().equals("https"))
              .withVerifyPeer(false);
      if (!client.name().equals(NOBODY)) {
        uri.withAuthentication(client.label(), "secret".toCharArray());
      }
      try (RedisClient redis = RedisClient.create(uri.build());
          var connection = redis.connect()) {
        commands.accept(connection.sync());
        return true;
      } catch (RedisCommandExecutionException e) {
        return false;
      }
    };
  }

  /// Calls of RESP, of which a user may make all or none.
  private static Operation resp(String... calls) {
    return client -> {
      try (RawResp redis = client.resp()) {
        Set<Boolean> carriedOut = new TreeSet<>();
        StringBuilder replies = new StringBuilder();
        for (String call : calls) {
          String reply = redis.call(call.split(" "));
          replies.append(call).append(": ").append(reply).append('\n');
          if (!reply.equals("+QUEUED ") && !call.equals("MULTI")) {
            carriedOut.add(!reply.contains("-WRONGPASS"));
          }
          assertThat(reply.replace("-WRONGPASS", "")).as(call).doesNotContainPattern("(^| )-");
        }
        assertThat(carriedOut).as(client.name() + "\n" + replies).hasSize(1);
        return carriedOut.contains(true);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private static boolean selects(Client client, String cache) {
    try (RawResp redis = client.resp()) {
      return redis.call("SELECT", cache).equals("+OK ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Operation hotRod(Consumer<RemoteCacheManager> calls) {
    return client -> {
      ConfigurationBuilder configuration = Clients.hotRodConfiguration(client.port());
      configuration.maxRetries(0);
      if (!client.name().equals(NOBODY)) {
        configuration.security().ssl().enable().sslContext(trust).hostnameValidation(false);
        configuration.security().authentication().username(client.label()).password("secret");
      }
      try (var manager = new RemoteCacheManager(configuration.build())) {
        calls.accept(manager);
        return true;
      } catch (HotRodClientException e) {
        return false;
      }
    };
  }

  static {
    String xml = "application/xml";
    String json = "application/json";
    OPERATIONS.put("read an entry", rest("GET", "caches/default/k"));
    OPERATIONS.put("read an entry, RESP", redis(redis -> redis.get("k")));
    OPERATIONS.put("read an entry, Hot Rod", hotRod(hotRod -> Clients.cache(hotRod).get("k")));
    OPERATIONS.put("write an entry", rest("PUT", "caches/default/k", "x", "text/plain"));
    OPERATIONS.put("write an entry, RESP", redis(redis -> redis.set("k", "x")));
    OPERATIONS.put(
        "read a list, set, hash or sorted set, RESP",
        resp(
            "LRANGE rl 0 -1",
            "LINDEX rl 0",
            "LPOS rl a",
            "SMEMBERS rs",
            "SMISMEMBER rs a",
            "HGETALL rh",
            "ZRANGE rz 0 -1",
            "ZSCORE rz a",
            "SORT rl",
            "SORT_RO rl"));
    OPERATIONS.put(
        "add to a list, set, hash or sorted set, RESP",
        resp(
            "RPUSH l a", "SADD s a", "HSET h a b", "ZADD z 1 a", "PFADD p a", "SORT rl STORE rl2"));
    OPERATIONS.put(
        "take or move an element, RESP",
        resp(
            "LPOP l",
            "SPOP s",
            "SPOP s 2",
            "HDEL h a",
            "ZREMRANGEBYRANK z 5 6",
            "ZPOPMIN z",
            "BLPOP l 0.01",
            "BRPOP l 0.01",
            "BLMPOP 0.01 1 l LEFT",
            "BZPOPMIN z 0.01",
            "BZPOPMAX z 0.01",
            "BZMPOP 0.01 1 z MIN",
            "LMOVE l m LEFT LEFT",
            "RPOPLPUSH l m",
            "SMOVE s t a",
            "BLMOVE l m LEFT LEFT 0.01",
            "BRPOPLPUSH l m 0.01"));
    OPERATIONS.put(
        "copy or remove an entry, RESP", resp("COPY k c REPLACE", "COPY k d", "UNLINK d", "DEL d"));
    OPERATIONS.put(
        "read by EXEC, RESP", resp("MULTI", "GET k", "LRANGE rl 0 -1", "ZSCORE rz a", "EXEC"));
    OPERATIONS.put(
        "write by EXEC, RESP", resp("MULTI", "RPUSH l a", "BZPOPMIN z 0", "COPY k c", "EXEC"));
    OPERATIONS.put("touch an entry, RESP", resp("TOUCH k"));
    OPERATIONS.put(
        "set when an entry expires, RESP",
        resp("EXPIRE k 100", "GETEX k EX 100", "GETEX k", "PERSIST k"));
    OPERATIONS.put("listen to a cache", listen("caches/default?action=listen"));
    OPERATIONS.put("listen to the log and to definitions", listen("container?action=listen"));
    OPERATIONS.put("watch a key, RESP", resp("WATCH k", "WATCH rl rs"));
    OPERATIONS.put(
        "subscribe to channels and patterns, RESP", resp("SUBSCRIBE c", "PSUBSCRIBE c*"));
    OPERATIONS.put(
        "write an entry, Hot Rod", hotRod(hotRod -> Clients.cache(hotRod).put("k", "x")));
    OPERATIONS.put("read items", rest("GET", "varve/items/ME/k"));
    OPERATIONS.put("list item spaces", rest("GET", "varve/items"));
    OPERATIONS.put("replace items", rest("PUT", "varve/items/ME/k", "{\"a\":1}", json));
    OPERATIONS.put(
        "patch items",
        client ->
            rest("PATCH", "varve/items/ME/k", "{\"b\":2}", "application/merge-patch+json")
                    .attempt(client)
                && rest("POST", "varve/items/ME/k", "{\"b\":3}", "application/merge-patch+json")
                    .attempt(client));
    OPERATIONS.put("remove items", rest("DELETE", "varve/items/ME/k"));
    OPERATIONS.put("list blobs", rest("GET", "varve/blobs/ME"));
    OPERATIONS.put("read a blob", rest("GET", "varve/blobs/ME/k"));
    OPERATIONS.put(
        "write or remove a blob",
        client ->
            rest("PUT", "varve/blobs/ME/k", "x", "text/plain").attempt(client)
                && rest("DELETE", "varve/blobs/ME/k").attempt(client));
    OPERATIONS.put("list the keys of a cache", rest("GET", "caches/default?action=keys"));
    OPERATIONS.put("clear a cache", rest("POST", "caches/default?action=clear"));
    OPERATIONS.put("clear a cache, RESP", redis(redis -> redis.flushall()));
    OPERATIONS.put("make a cache of the template", rest("POST", "caches/t-ME?template=varve"));
    OPERATIONS.put(
        "make a cache by a definition", rest("POST", "caches/d-ME", "<local-cache/>", xml));
    OPERATIONS.put("remove a cache", rest("DELETE", "caches/r-ME"));
    OPERATIONS.put("read the definition of a cache", rest("GET", "caches/default?action=config"));
    OPERATIONS.put("read the definitions of all caches", rest("GET", "container/cache-configs"));
    OPERATIONS.put("build or clear an index", rest("POST", INDEX + "clear"));
    OPERATIONS.put("update an index to its schema", rest("POST", INDEX + "updateSchema"));
    OPERATIONS.put(
        "build an index, Hot Rod",
        hotRod(hotRod -> hotRod.administration().reindexCache("indexed")));
    OPERATIONS.put(
        "update an index to its schema, Hot Rod",
        hotRod(hotRod -> hotRod.administration().updateIndexSchema("indexed")));
    OPERATIONS.put(
        "change a definition, Hot Rod",
        hotRod(hotRod ->
            hotRod
                .administration()
                .updateConfigurationAttribute("indexed", "expiration.lifespan", "-1")));
    OPERATIONS.put(
        "take another site offline",
        rest("POST", "container/x-site/backups/s?action=take-offline"));
    OPERATIONS.put("make a role", rest("POST", "security/permissions/p-ME?permission=READ"));
    OPERATIONS.put("reset figures of the node", rest("POST", "container/stats?action=reset"));
    OPERATIONS.put("add a schema", rest("POST", "schemas/ME.proto", "message M {}", "text/plain"));
    OPERATIONS.put("make a counter", rest("POST", "counters/c-ME", COUNTER.formatted("1"), json));
    OPERATIONS.put("read figures of the node", rest("GET", "container/stats"));
    OPERATIONS.put("list connections", rest("GET", "server/connections"));
    OPERATIONS.put("dump threads", rest("GET", "server/threads"));
    OPERATIONS.put("list users and roles", rest("GET", "security/roles"));
    OPERATIONS.put("grant roles", rest("PUT", "security/roles/nobody?action=grant&role=observer"));
    OPERATIONS.put("stop rebalancing", rest("POST", "container?action=disable-rebalancing"));
    OPERATIONS.put(
        "make a backup of all nodes",
        rest("POST", "tasks/@@varve@backup?action=exec&param.name=b-ME"));
    OPERATIONS.put("stop the node", rest("POST", "server?action=stop"));
    OPERATIONS.put(
        "make a cache with another store, a class, a file or a property",
        client ->
            rest("POST", "caches/f-ME", FILE_STORE, xml).attempt(client)
                || hotRod(hotRod ->
                        hotRod
                            .administration()
                            .createCache("f-hotrod", new StringConfiguration(FILE_STORE)))
                    .attempt(client));
    OPERATIONS.put(
        "make a cache whose name is a path",
        client ->
            rest("POST", "caches/%2e%2e?template=varve").attempt(client)
                || rest("POST", "caches/a%2FME", "<local-cache/>", xml).attempt(client));
    OPERATIONS.put(
        "make, change or remove a cache of Infinispan's own",
        client ->
            rest("DELETE", "caches/org.infinispan.CONFIG").attempt(client)
                || rest("POST", "caches/org.infinispan.LOCKS?template=varve").attempt(client)
                || rest("DELETE", "caches/___script_cache").attempt(client)
                || hotRod(hotRod -> hotRod.administration().removeCache("org.infinispan.CONFIG"))
                    .attempt(client)
                || selects(client, "org.infinispan.CONFIG")
                || selects(client, "org.infinispan.ROLES")
                || selects(client, "___script_cache"));
    OPERATIONS.put(
        "run a script, RESP",
        redis(redis -> redis.eval("return 1", io.lettuce.core.ScriptOutputType.INTEGER)));
    OPERATIONS.put("load a script, RESP", redis(redis -> redis.scriptLoad("return 1")));
    OPERATIONS.put(
        "add a script", rest("POST", "tasks/s-ME", "// language=lua\nreturn 1", "text/plain"));
    OPERATIONS.put(
        "add a script, Hot Rod",
        hotRod(hotRod ->
            hotRod.getCache("___script_cache").put("s.lua", "// language=lua\nreturn 1")));
    OPERATIONS.put("run a task", rest("POST", "tasks/@@cache@names?action=exec"));
    OPERATIONS.put(
        "read the environment",
        client ->
            rest("GET", "server/env").attempt(client)
                || rest("POST", "counters/p-ME", COUNTER.formatted("${java.class.path}"), json)
                    .attempt(client)
                || rest(
                        "POST",
                        "counters/p-ME",
                        COUNTER.formatted("\\u0024{java.class.path}"),
                        json)
                    .attempt(client)
                || rest("POST", CONVERT, LIMITED.formatted("${java.class.path}"), xml)
                    .attempt(client)
                || rest("POST", CONVERT, LIMITED.formatted("&#36;{java.class.path}"), xml)
                    .attempt(client)
                || rest("POST", "caches?action=compare", "--p", "multipart/form-data; boundary=p")
                    .attempt(client)
                || rest("POST", "caches/default?action=set-mutable-attribute" + ALIASES)
                    .attempt(client)
                || rest("POST", "counters/" + PROPERTY, COUNTER.formatted("1"), json)
                    .attempt(client)
                || hotRod(hotRod ->
                        hotRod
                            .administration()
                            .updateConfigurationAttribute("default", "aliases", "${user.dir}"))
                    .attempt(client)
                || hotRod(hotRod ->
                        RemoteCounterManagerFactory.asCounterManager(hotRod)
                            .defineCounter(
                                "${user.dir}-" + client.label(),
                                CounterConfiguration.builder(CounterType.WEAK).build()))
                    .attempt(client));
    OPERATIONS.put("make a server report", rest("GET", "server/report"));
    OPERATIONS.put("make a heap dump", rest("POST", "server/memory?action=heap-dump"));
    OPERATIONS.put("set log levels", rest("PUT", "logging/loggers/x?level=TRACE"));
    OPERATIONS.put(
        "make or restore a backup by the server",
        client ->
            rest("POST", "container/backups/b").attempt(client)
                || rest("POST", "cluster/restores/b").attempt(client)
                || rest("GET", "container/backups").attempt(client)
                || client.rest("POST", "cache-managers/x?/backups/b?", "", "text/plain") != 400);
    OPERATIONS.put(
        "let the node connect to another",
        client ->
            rest("POST", "caches/default" + SOURCE, "{}", json).attempt(client)
                || rest("POST", "caches/a%2Fb" + SOURCE, "{}", json).attempt(client));
  }

  @BeforeAll
  static void start() throws Exception {
    Path closedData = data.resolve("closed");
    Users users = new Users(NodeDirectory.configuration(closedData));
    for (Role role : Role.values()) {
      users.set(role.name().toLowerCase(Locale.ROOT), "secret", role);
    }
    open = Serving.node(data.resolve("open"));
    closed = Serving.node(closedData, "--tls");
    trust = Clients.trusting(NodeDirectory.configuration(closedData).resolve("self-made.pem"));
    CLIENTS.add(
        new Client(NOBODY, client().build(), URI.create("http://localhost:" + open.port())));
    for (Role role : Role.values()) {
      CLIENTS.add(
          new Client(
              role.name(),
              client().sslContext(trust).build(),
              URI.create("https://localhost:" + closed.port())));
    }
    for (Client client : CLIENTS) { // for each to remove
      Client maker = client.name().equals(NOBODY) ? client : CLIENTS.get(1);
      maker.rest("POST", "caches/r-" + client.label() + "?template=varve", "", "text/plain");
    }
    for (Client maker : CLIENTS.subList(0, 2)) {
      String message = "/** @Indexed */ message Indexed { /** @Basic */ optional string f = 1; }";
      maker.rest("POST", "schemas/indexed.proto", message, "text/plain");
      assertThat(maker.rest("POST", "caches/indexed", INDEXED, "application/xml")).isEqualTo(200);
    }
  }

  /// Not over HTTP/2: a node that answers before it has read the whole request resets the stream,
  /// and the client of the JDK may then drop the answer.
  private static HttpClient.Builder client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
  }

  @AfterAll
  static void stop() throws Exception {
    CLIENTS.forEach(client -> client.http().close());
    open.close();
    closed.close();
  }

  /// A request to stop is carried out seconds after its answer, so that row comes last.
  @Test
  void eachRoleMayDoWhatTheGuideShows() throws Exception {
    assertThat(new ScriptEngineManager().getEngineFactories()).isEmpty();
    Map<String, String> found = new TreeMap<>();
    List<String> order = new ArrayList<>(OPERATIONS.keySet());
    order.remove("stop the node");
    order.add("stop the node");
    StringBuilder all = new StringBuilder();
    for (String operation : order) {
      StringBuilder row = new StringBuilder("| " + operation + " |");
      for (Client client : CLIENTS) {
        row.append(OPERATIONS.get(operation).attempt(client) ? " yes |" : " no |");
      }
      found.put(operation, row.toString());
      all.append(row).append('\n');
    }
    Map<String, String> said = new TreeMap<>();
    List<String> lines = Files.readAllLines(GUIDE);
    int head =
        lines.indexOf(lines.stream().filter(line -> line.startsWith(HEAD)).findFirst().orElse(""));
    for (String line : lines.subList(Math.max(0, head + 2), lines.size())) {
      if (!line.startsWith("|")) {
        break;
      }
      String plain = line.replaceAll(" +", " ");
      said.put(plain.split("\\|")[1].strip(), plain);
    }
    assertThat(said).as(all.toString()).isEqualTo(found);
  }
}
