package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.h2.tools.Server;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A cache of the guide with two stores, ours and one of a database that is a server: both have the
/// same entries, after each restart.
@Timeout(120)
class DatabaseStoreTest {
  private static final String WRITE_LATER = "<write-behind modification-queue-size=\"1024\"/>";
  private static final Pattern VARVE = Pattern.compile("(?s) *<varve-store .*?/>\n");
  private static final Pattern DATABASE =
      Pattern.compile("(?s) *<string-keyed-jdbc-store .*</string-keyed-jdbc-store>\n");

  static {
    System.setProperty("h2.bindAddress", "127.0.0.1"); // read once, by its first class
  }

  @TempDir Path directory;
  private Server database;

  /// Which store writes after the answer, and which comes first.
  private enum Kind {
    DATABASE_LATER,
    BOTH_IMMEDIATELY,
    VARVE_LATER,
    DATABASE_FIRST;

    String of(String guide) {
      return switch (this) {
        case DATABASE_LATER -> guide;
        case BOTH_IMMEDIATELY -> guide.replace(WRITE_LATER, "");
        case VARVE_LATER ->
            guide
                .replace(WRITE_LATER, "")
                .replace(
                    "location=\"/var/lib/shop\"/>",
                    "location=\"/var/lib/shop\">" + WRITE_LATER + "</varve-store>");
        case DATABASE_FIRST -> {
          var varve = VARVE.matcher(guide);
          assertThat(varve.find()).isTrue();
          yield guide
              .replace(varve.group(), "")
              .replace(
                  "</string-keyed-jdbc-store>\n", "</string-keyed-jdbc-store>\n" + varve.group());
        }
      };
    }
  }

  @BeforeEach
  void startDatabase() throws Exception {
    database =
        Server.createTcpServer(
                "-tcpPort", "0", "-ifNotExists", "-baseDir", directory.resolve("db").toString())
            .start();
  }

  @AfterEach
  void stopDatabase() {
    database.stop();
  }

  private static String guide() throws IOException {
    String guide = Files.readString(Path.of("../docs/INFINISPAN.md"));
    int from = guide.indexOf("```xml\n", guide.indexOf("## Next to a database"));
    return guide.substring(from + "```xml\n".length(), guide.indexOf("```", from + 3));
  }

  private DefaultCacheManager start(String xml) throws IOException {
    String here =
        xml.replace("/var/lib/shop", directory.resolve("varve").toString())
            .replace(":9092", ":" + database.getPort());
    return new DefaultCacheManager(
        new ParserRegistry().parse(here, MediaType.APPLICATION_XML), true);
  }

  /// The entries that a cache has by the stores of a configuration.
  private Map<String, String> entries(String xml) throws IOException {
    try (DefaultCacheManager manager = start(xml)) {
      Cache<String, String> orders = manager.getCache("orders");
      return new HashMap<>(orders);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothStoresHaveTheSameEntries(Kind kind) throws Exception {
    String both = kind.of(guide());
    Map<String, String> expected = new HashMap<>();
    for (int life = 0; life < 2; life++) {
      try (DefaultCacheManager manager = start(both)) {
        Cache<String, String> orders = manager.getCache("orders");
        assertThat(new HashMap<>(orders)).isEqualTo(expected);
        change(orders, expected, life);
      }
      String ofVarve = DATABASE.matcher(both).replaceFirst("");
      String ofDatabase =
          both.replaceFirst("(?s) *<varve-store [^>]*?(/>|>.*?</varve-store>)\n", "");
      assertThat(entries(ofVarve)).as("of ours, life %s", life).isEqualTo(expected);
      assertThat(entries(ofDatabase)).as("of the database, life %s", life).isEqualTo(expected);
      assertThat(rows()).isEqualTo(expected.size());
    }
  }

  /// Puts, replaces and removes, one by one and many together.
  private static void change(Cache<String, String> orders, Map<String, String> expected, int life) {
    for (int at = 0; at < 100; at++) {
      String key = "k" + (at * 7 + life * 50) % 150;
      if (at % 5 == 4) {
        orders.remove(key);
        expected.remove(key);
      } else {
        orders.put(key, life + "-" + at);
        expected.put(key, life + "-" + at);
      }
    }
    Map<String, String> many = new HashMap<>();
    for (int at = 0; at < 100; at++) {
      many.put("many" + life + "-" + at, "v" + at);
    }
    orders.putAll(many);
    expected.putAll(many);
  }

  private int rows() throws Exception {
    String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/shop";
    try (Connection connection = DriverManager.getConnection(url, "shop", "secret");
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM \"cache_orders\"")) {
      assertThat(count.next()).isTrue();
      return count.getInt(1);
    }
  }

  /// A cache whose memory is empty reads from the first store that has an entry, and from the next
  /// where that one has none.
  @Test
  void whatOneStoreHasAloneIsRead() throws Exception {
    String ofDatabase = VARVE.matcher(guide()).replaceFirst("");
    try (DefaultCacheManager manager = start(ofDatabase)) {
      manager.<String, String>getCache("orders").put("old", "of the database");
    }
    try (DefaultCacheManager manager = start(guide())) {
      Cache<String, String> orders = manager.getCache("orders");
      assertThat(orders.get("old")).isEqualTo("of the database");
      orders.put("old", "of both");
    }
    assertThat(entries(DATABASE.matcher(guide()).replaceFirst("")))
        .isEqualTo(Map.of("old", "of both"));
    assertThat(entries(ofDatabase)).isEqualTo(Map.of("old", "of both"));
  }
}
