package io.varve.grid.guard.entry;

import io.varve.grid.backup.BackupTask;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.security.Security;
import org.infinispan.server.tasks.admin.ServerAdminOperationsHandler;
import org.infinispan.tasks.TaskContext;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// What clients of Hot Rod administer, as far as it is offered ([CacheDefinition]).
///
/// (TASK-1) To update an index to its schema is for those who may build it, as in REST. Infinispan
/// restarts the index for each user of any role. (TASK-2) No name, alias or value of an attribute
/// names a property of the process: Infinispan puts those in when it reads again what it has
/// written of the cache.
public final class AdminTasks extends ServerAdminOperationsHandler {
  private static final String UPDATE_INDEX = "@@cache@updateindexschema";

  @Override
  public boolean handles(String taskName) {
    return taskName.equals(BackupTask.NAME) || super.handles(taskName);
  }

  @Override
  @SuppressWarnings("unchecked") // what the task gives is a text, as clients expect
  public <T> CompletionStage<T> runTask(
      String taskName, TaskContext context, BlockingManager blockingManager) {
    if (taskName.equals(BackupTask.NAME)) {
      return (CompletionStage<T>) backup(context, blockingManager);
    }
    if (taskName.equals(UPDATE_INDEX)) { // TASK-1
      requireAdministrator(context);
    }
    GlobalConfiguration global = CacheDefinition.global(context.getCacheManager());
    String refusal = refusal(taskName, context.getParameters().orElse(Map.of()), global);
    return refusal == null
        ? super.runTask(taskName, context, blockingManager)
        : CompletableFuture.failedFuture(new SecurityException("refused: " + refusal));
  }

  private static CompletionStage<String> backup(
      TaskContext context, BlockingManager blockingManager) {
    requireAdministrator(context);
    EmbeddedCacheManager manager = context.getCacheManager();
    String name = text(context.getParameters().orElse(Map.of()).get("name"));
    return blockingManager.supplyBlocking(() -> BackupTask.run(manager, name), "varve-backup");
  }

  private static void requireAdministrator(TaskContext context) {
    Administrators.require(
        context.getCacheManager(), context.getSubject().orElseGet(Security::getSubject));
  }

  private static @Nullable String refusal(
      String task, Map<String, ?> parameters, GlobalConfiguration global) {
    if (task.startsWith("@@logging@")) {
      return "log levels are set by a file of Log4j";
    }
    if (!task.startsWith("@@schemas@") && namesProperty(parameters)) { // TASK-2
      return CacheDefinition.PROPERTIES;
    }
    String name = text(parameters.get("name"));
    if (name != null && task.startsWith("@@cache@") && CacheDefinition.isOfInfinispan(name)) {
      return "Infinispan's own caches are not made, changed or removed";
    }
    if (task.equals("@@cache@create") || task.equals("@@cache@getorcreate")) {
      if (name != null && !CacheDefinition.isName(name)) {
        return "a cache cannot have that name";
      }
    }
    String definition = text(parameters.get("configuration"));
    return definition == null || definition.isBlank()
        ? null
        : CacheDefinition.refusal(definition, null, global);
  }

  private static boolean namesProperty(Map<String, ?> parameters) {
    return parameters.values().stream()
        .map(AdminTasks::text)
        .anyMatch(text -> text != null && CacheDefinition.namesProperty(text));
  }

  private static @Nullable String text(@Nullable Object parameter) {
    return switch (parameter) {
      case null -> null;
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      case String[] texts -> String.join("\n", texts);
      case List<?> texts -> texts.isEmpty() ? null : String.valueOf(texts.getFirst());
      default -> parameter.toString();
    };
  }
}
