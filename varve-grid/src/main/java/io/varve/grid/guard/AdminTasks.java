package io.varve.grid.guard;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.tasks.admin.ServerAdminOperationsHandler;
import org.infinispan.tasks.TaskContext;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// What clients of Hot Rod administer, as far as it is offered ([CacheDefinition]).
final class AdminTasks extends ServerAdminOperationsHandler {
  @Override
  public <T> CompletionStage<T> runTask(
      String taskName, TaskContext context, BlockingManager blockingManager) {
    String refusal = refusal(taskName, context.getParameters().orElse(Map.of()));
    return refusal == null
        ? super.runTask(taskName, context, blockingManager)
        : CompletableFuture.failedFuture(new SecurityException("refused: " + refusal));
  }

  private static @Nullable String refusal(String task, Map<String, ?> parameters) {
    if (task.startsWith("@@logging@")) {
      return "log levels are set by a file of Log4j";
    }
    if (task.equals("@@cache@create") || task.equals("@@cache@getorcreate")) {
      String name = text(parameters.get("name"));
      if (name != null && !CacheDefinition.isName(name)) {
        return "a cache cannot have that name";
      }
    }
    String definition = text(parameters.get("configuration"));
    return definition == null || definition.isBlank() ? null : CacheDefinition.refusal(definition);
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
