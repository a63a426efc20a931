package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(240)
class ImportCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  private int runImport(String... more) {
    String[] arguments = {
      "import",
      "--from-infinispan",
      directory.resolve("old").toString(),
      "--to",
      directory.resolve("new").toString()
    };
    String[] all = new String[arguments.length + more.length];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return run(all);
  }

  private static void use(
      String name, ConfigurationBuilder configuration, Consumer<Cache<String, String>> work)
      throws Exception {
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      manager.defineConfiguration(name, configuration.build());
      work.accept(manager.getCache(name));
    }
  }

  private ConfigurationBuilder softIndex() {
    String location = directory.resolve("old").toString();
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .persistence()
        .addSoftIndexFileStore()
        .dataLocation(location)
        .indexLocation(location);
    return configuration;
  }

  private ConfigurationBuilder rocksDb() {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .persistence()
        .addStore(RocksDBStoreConfigurationBuilder.class)
        .location(directory.resolve("old").toString())
        .expiredLocation(directory.resolve("old").toString());
    return configuration;
  }

  private ConfigurationBuilder varve() {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.resolve("new").toString());
    return configuration;
  }

  @Test
  void allCachesOfADirectoryAreImported() throws Exception {
    use("orders", softIndex(), cache -> cache.put("o", "1"));
    use("sessions", rocksDb(), cache -> cache.put("s", "2"));
    assertThat(runImport()).isZero();
    assertThat(out.toString().lines())
        .hasSize(2)
        .anyMatch(
            line -> line.startsWith("orders: 1 entries, ") && line.endsWith("SoftIndexFileStore"))
        .anyMatch(
            line -> line.startsWith("sessions: 1 entries, ") && line.endsWith("RocksDBStore"));
    use("orders", varve(), cache -> assertThat(cache.get("o")).isEqualTo("1"));
    use("sessions", varve(), cache -> assertThat(cache.get("s")).isEqualTo("2"));

    assertThat(runImport("orders")).isEqualTo(Failures.EXIT_CODE);
    assertThat(err.toString()).contains("varve: the target holds entries: cache=orders");
    assertThat(runImport("orders", "--replace")).isZero();
  }

  @Test
  void whatCannotBeImportedIsSaid() throws Exception {
    assertThat(run("import")).isEqualTo(2);
    assertThat(err.toString()).contains("--from-infinispan");
    assertThat(runImport()).isEqualTo(Failures.EXIT_CODE);
    assertThat(err.toString()).contains("varve: no such directory: directory=");
    Files.createDirectories(directory.resolve("old"));
    assertThat(runImport()).isEqualTo(Failures.EXIT_CODE);
    assertThat(err.toString()).contains("varve: no store of Infinispan found");
  }
}
