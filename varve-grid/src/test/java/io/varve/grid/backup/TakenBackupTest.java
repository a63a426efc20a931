package io.varve.grid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreOptions;
import io.varve.grid.items.ItemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.transaction.TransactionMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What of a backup is on disk, when it is written, and when it fails.
class TakenBackupTest {
  @TempDir Path node;

  @BeforeEach
  void makeNode() throws IOException {
    file("conf/users.properties");
    file("data/default.state");
    Files.createDirectories(node.resolve("backups"));
  }

  private void file(String path) throws IOException {
    Path file = node.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, path);
  }

  private TakenBackup taken(String id) throws IOException {
    TakenBackup backup = new TakenBackup(id, node, "nightly", "a");
    backup.take(List.of(), new ItemStore(node, StoreOptions.defaults()));
    return backup;
  }

  private Path whole() {
    return node.resolve("backups/nightly/a");
  }

  private Path part() {
    return node.resolve("backups/nightly.part");
  }

  @Test
  void storesAndIndexesAloneAreNotCopied() throws IOException {
    for (String name : List.of("topology", "varve", "backups", "write.lock")) {
      file("data/" + name + "/varve/varve.data");
      file("data/" + name + "/index/write.lock");
      file("data/" + name + "/index/segments_1");
    }
    file("data/topology/orders.state");
    taken("1").write();
    assertThat(whole().resolve("data/topology/orders.state")).isRegularFile();
    assertThat(whole().resolve("data/default.state")).isRegularFile();
    assertThat(whole().resolve("conf/users.properties")).isRegularFile();

    try (var files = Files.walk(whole())) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(3);
    }
  }

  /// Another node failed.
  @Test
  void aBackupThatIsDiscardedWhenItIsWrittenLeavesNothing() throws IOException {
    TakenBackup backup = taken("1");
    backup.write();
    assertThat(whole()).isDirectory();
    backup.discard();
    assertThat(node.resolve("backups")).isEmptyDirectory();
    taken("2").write();
    assertThat(whole()).isDirectory();
  }

  @Test
  void aBackupThatIsRefusedLeavesTheOneOfThatName() throws IOException {
    taken("1").write();
    TakenBackup second = new TakenBackup("2", node, "nightly", "a");
    assertThatThrownBy(() -> second.take(List.of(), new ItemStore(node, StoreOptions.defaults())))
        .hasMessageContaining("there is a backup of that name");
    second.discard();
    assertThat(whole().resolve("data/default.state")).isRegularFile();
  }

  @Test
  void aBackupThatNobodyWritesEnds() throws IOException {
    TakenBackup backup = taken("1");
    backup.expire();
    assertThat(part()).doesNotExist();
    assertThatThrownBy(backup::write).hasMessageContaining("the backup has ended");
    TakenBackup written = taken("2");
    written.write();
    written.expire();
    assertThat(whole()).isDirectory();
  }

  @Test
  void aNodeThatStartsDeletesParts() throws IOException {
    taken("1");
    assertThat(part()).isDirectory();
    BackupConfigurationBuilder.install(
        new GlobalConfigurationBuilder(), node, new ItemStore(node, StoreOptions.defaults()));
    assertThat(part()).doesNotExist();
  }

  @Test
  void cachesWithoutAPointAreRefused() {
    NodeBackup.requirePoint("orders", new ConfigurationBuilder().build());
    Configuration transactional =
        new ConfigurationBuilder()
            .transaction()
            .transactionMode(TransactionMode.TRANSACTIONAL)
            .build();
    assertThatThrownBy(() -> NodeBackup.requirePoint("orders", transactional))
        .hasMessageContaining("with transactions")
        .hasMessageContaining("cache=orders");
    Configuration async =
        new ConfigurationBuilder().clustering().cacheMode(CacheMode.DIST_ASYNC).build();
    assertThatThrownBy(() -> NodeBackup.requirePoint("orders", async))
        .hasMessageContaining("with mode ASYNC");
  }
}
