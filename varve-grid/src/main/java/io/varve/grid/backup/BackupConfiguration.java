package io.varve.grid.backup;

import org.infinispan.commons.configuration.BuiltBy;

/// The backups of a node, where its components find them.
///
/// @param backup of this node
@BuiltBy(BackupConfigurationBuilder.class)
public record BackupConfiguration(NodeBackup backup) {}
