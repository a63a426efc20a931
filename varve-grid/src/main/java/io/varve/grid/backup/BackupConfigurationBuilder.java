package io.varve.grid.backup;

import io.varve.grid.items.ItemStore;
import java.nio.file.Path;
import java.util.Objects;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// Puts a [NodeBackup] into the configuration of a node. Public, since Infinispan makes it.
public final class BackupConfigurationBuilder implements Builder<BackupConfiguration> {
  private @Nullable NodeBackup backup;

  /// Made by Infinispan, for one configuration.
  public BackupConfigurationBuilder(GlobalConfigurationBuilder global) {}

  /// Gives a node backups, and deletes what a process that was killed has left of one.
  ///
  /// @param node its directory, below whose `backups` they are
  /// @param items which are part of them
  public static void install(GlobalConfigurationBuilder global, Path node, ItemStore items) {
    global.addModule(BackupConfigurationBuilder.class).backup =
        NodeBackup.install(global, node, items);
  }

  @Override
  public BackupConfiguration create() {
    return new BackupConfiguration(Objects.requireNonNull(backup, "no backup"));
  }

  @Override
  public Builder<?> read(BackupConfiguration template, Combine combine) {
    backup = template.backup();
    return this;
  }

  @Override
  public AttributeSet attributes() {
    return AttributeSet.EMPTY;
  }
}
