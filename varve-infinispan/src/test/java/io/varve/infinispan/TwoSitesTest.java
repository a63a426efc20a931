package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.Durability;
import io.varve.test.KilledStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.BackupConfiguration.BackupStrategy;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.UncleanShutdownAction;
import org.infinispan.configuration.internal.PrivateGlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.test.TestingUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two sites whose caches back each other up asynchronously: after one of them was killed, and has
/// started again, they become the same again, and writes of either reach the other. With
/// `-Dvarve.sites.stopped=true` it is stopped; `-Dvarve.sites.nodes=2` gives each more nodes.
@Tag("slow")
@Timeout(240)
class TwoSitesTest {
  private static final String CACHE = "orders";
  private static final int KEYS = 60;
  private static final int NODES = Integer.getInteger("varve.sites.nodes", 1);

  @TempDir Path directory;
  private final List<DefaultCacheManager> running = new ArrayList<>();

  @AfterEach
  void stop() {
    TestingUtil.killCacheManagers(running);
  }

  private List<DefaultCacheManager> start(String site, String other) {
    System.setProperty("varve.test.cluster", directory.resolve("members-" + site).toString());
    System.setProperty("varve.test.bridge", directory.resolve("bridge").toString());
    System.setProperty("varve.test.site", site);
    List<DefaultCacheManager> nodes = new ArrayList<>();
    for (int number = 0; number < NODES; number++) {
      String name = site + number;
      GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
      global
          .transport()
          .clusterName(directory.getFileName() + "-" + site)
          .nodeName(name)
          .addProperty("configurationFile", "site.xml");
      global
          .globalState()
          .enable()
          .persistentLocation(directory.resolve(site).resolve(name).toString())
          .uncleanShutdownAction(UncleanShutdownAction.IGNORE);
      global.addModule(PrivateGlobalConfigurationBuilder.class).serverMode(true);
      DefaultCacheManager node = new DefaultCacheManager(global.build());
      running.add(node);
      node.defineConfiguration(CACHE, configuration(other).build());
      nodes.add(node);
    }
    nodes.parallelStream().forEach(node -> node.getCache(CACHE));
    return nodes;
  }

  private static ConfigurationBuilder configuration(String other) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.clustering().cacheMode(CacheMode.DIST_SYNC);
    configuration.sites().addBackup().site(other).strategy(BackupStrategy.ASYNC);
    configuration.memory().maxCount(10); // so that writes do not find their entries in memory
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .durability(Durability.PROCESS_CRASH);
    return configuration;
  }

  private static AdvancedCache<String, String> cache(List<DefaultCacheManager> site) {
    return site.getFirst().<String, String>getCache(CACHE).getAdvancedCache();
  }

  private static Map<String, String> all(List<DefaultCacheManager> site) {
    Map<String, String> all = new TreeMap<>();
    cache(site).forEach(all::put);
    return all;
  }

  private static void awaitBoth(
      List<DefaultCacheManager> first, List<DefaultCacheManager> second, Map<String, String> all) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(all(first)).isEqualTo(all);
          assertThat(all(second)).isEqualTo(all);
        });
  }

  /// Ends a site. If it is killed, its files are as they were before it stopped.
  private void end(List<DefaultCacheManager> site, String name, boolean killed) throws IOException {
    Path files = directory.resolve(name);
    Path copy = directory.resolve(name + "-copy");
    if (killed) {
      KilledStore.copy(files, copy);
    }
    site.forEach(DefaultCacheManager::stop);
    running.removeAll(site);
    if (killed) {
      Util.recursiveFileRemove(files);
      Files.move(copy, files, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Test
  void sitesAreTheSameAgainAfterOneHasEnded() throws Exception {
    boolean killed = !Boolean.getBoolean("varve.sites.stopped");
    Map<String, String> expected = new TreeMap<>();
    List<DefaultCacheManager> london = start("LON", "NYC");
    List<DefaultCacheManager> york = start("NYC", "LON");
    for (int key = 0; key < KEYS; key++) {
      put(london, key, "london", expected);
    }
    awaitBoth(london, york, expected);
    for (int key = 0; key < KEYS; key += 2) {
      put(york, key, "york", expected);
    }
    remove(york, 1, expected);
    remove(london, 2, expected);
    awaitBoth(london, york, expected);

    end(york, "NYC", killed);
    for (int key = 3; key < KEYS; key += 3) {
      put(london, key, "without york", expected);
    }
    remove(london, 7, expected);
    york = start("NYC", "LON");
    awaitBoth(london, york, expected);

    for (int key = 0; key < KEYS; key += 4) {
      put(york, key, "york again", expected);
    }
    if (!killed) { // What was removed is forgotten by a kill.
      put(york, 1, "york again", expected);
      put(york, 2, "york again", expected);
    }
    remove(york, 5, expected);
    awaitBoth(london, york, expected);
    for (int key = 0; key < KEYS; key += 5) {
      put(london, key, "london again", expected);
    }
    remove(london, 11, expected);
    awaitBoth(london, york, expected);
  }

  private static void put(
      List<DefaultCacheManager> site, int key, String value, Map<String, String> expected) {
    // As a server puts for its clients: the value before is neither read nor returned.
    cache(site).withFlags(Flag.IGNORE_RETURN_VALUES).put("k" + key, value + key);
    expected.put("k" + key, value + key);
  }

  private static void remove(
      List<DefaultCacheManager> site, int key, Map<String, String> expected) {
    cache(site).remove("k" + key);
    expected.remove("k" + key);
  }
}
