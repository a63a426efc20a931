package io.varve;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.event.CheckpointEvent;
import io.varve.internal.event.CommitEvent;
import io.varve.internal.event.CommitWaitEvent;
import io.varve.internal.event.Events;
import io.varve.internal.event.EvictionEvent;
import io.varve.internal.event.ForceEvent;
import io.varve.internal.event.LogWaitEvent;
import io.varve.internal.event.PageLoadEvent;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a flight recording holds of a store, and what the guide states of that.
class EventsTest {
  private static final List<Class<? extends Event>> EVENTS =
      List.of(
          CommitEvent.class,
          CommitWaitEvent.class,
          LogWaitEvent.class,
          ForceEvent.class,
          CheckpointEvent.class,
          PageLoadEvent.class,
          EvictionEvent.class);

  /// Fields that every event has.
  private static final List<String> COMMON =
      List.of("startTime", "duration", "eventThread", "stackTrace");

  private static final int KEYS = 10_000;

  @TempDir private Path directory;

  @Test
  void nothingIsMadeWhileNobodyRecords() {
    assertThat(Events.commit()).isNull();
    assertThat(Events.commitWait()).isNull();
    assertThat(Events.logWait()).isNull();
    assertThat(Events.force()).isNull();
    assertThat(Events.checkpoint()).isNull();
    assertThat(Events.pageLoad()).isNull();
    assertThat(Events.evictionIsOn()).isFalse();
  }

  @Test
  void aRecordingHoldsWhatAStoreDoes() throws IOException {
    long lastCommit;
    Map<String, List<RecordedEvent>> events;
    try (Recording recording = new Recording()) {
      EVENTS.forEach(
          event -> recording.enable(event).withThreshold(Duration.ZERO).with("throttle", "off"));
      recording.start();
      lastCommit = use();
      recording.stop();
      Path file = directory.resolve("recording.jfr");
      recording.dump(file);
      events =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().startsWith("io.varve."))
              .collect(groupingBy(event -> event.getEventType().getName()));
    }
    requireSome(
        events,
        "io.varve.Commit",
        event ->
            event.getLong("lsn") == lastCommit
                && event.getString("space").equals("s")
                && event.getInt("spaces") == 1
                && event.getLong("bytes") > 200);
    requireSome(
        events,
        "io.varve.CommitWait",
        event ->
            event.getLong("lsn") == lastCommit
                && event.getString("durability").equals("POWER_LOSS"));
    requireSome(
        events,
        "io.varve.Force",
        event ->
            event.getLong("startLsn") < lastCommit
                && event.getLong("startLsn") + event.getLong("bytes") >= lastCommit);
    requireSome(
        events,
        "io.varve.Checkpoint",
        event -> event.getString("kind").equals("CHECKPOINT") && event.getLong("bytes") > 0);
    requireSome(
        events,
        "io.varve.PageLoad",
        event ->
            event.getString("kind").equals("LEAF")
                && event.getString("store").endsWith("pages")
                && event.getLong("offset") > 0
                && event.getLong("bytes") > 200);
    requireSome(
        events,
        "io.varve.Eviction",
        event -> event.getInt("level") == 0 && event.getLong("cacheBytes") > 0);
  }

  private static void requireSome(
      Map<String, List<RecordedEvent>> events, String name, Predicate<RecordedEvent> wanted) {
    assertThat(events.getOrDefault(name, List.of())).as(name).anyMatch(wanted);
  }

  /// Uses a store that is larger than its memory.
  ///
  /// @return its last commit
  private static long use() {
    StoreOptions options =
        StoreOptions.defaults()
            .pageBytes(1024)
            .cacheBytes(1 << 20)
            .log(log -> log.bufferBytes(1 << 20));
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options)) {
      Space space = store.space("s");
      for (int i = 0; i < KEYS; i++) {
        space.with(Durability.BACKGROUND).put(key(i), new byte[200]);
      }
      store.checkpoint();
      for (int i = 0; i < KEYS; i++) {
        assertThat(space.get(key(i))).hasSize(200);
      }
      return space.with(Durability.POWER_LOSS).put(key(0), new byte[201]).lsn();
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  @Test
  void theGuideNamesEveryEventAndItsFields() throws IOException {
    Map<String, List<String>> made = new TreeMap<>();
    for (Class<? extends Event> event : EVENTS) {
      EventType type = EventType.getEventType(event);
      made.put(
          type.getName(),
          type.getFields().stream()
              .map(ValueDescriptor::getName)
              .filter(name -> !COMMON.contains(name))
              .sorted()
              .toList());
      assertThat(type.getFields()).allMatch(field -> field.getLabel() != null);
    }
    Map<String, List<String>> reported =
        Pattern.compile("(?m)^\\| `(io\\.varve\\.\\w+)` .*\\| ([^|]*) \\|$")
            .matcher(Files.readString(Path.of("..", "docs", "OBSERVABILITY.md")))
            .results()
            .collect(
                Collectors.toMap(
                    match -> match.group(1),
                    match ->
                        Pattern.compile("`(\\w+)`")
                            .matcher(match.group(2))
                            .results()
                            .map((MatchResult field) -> field.group(1))
                            .sorted()
                            .toList(),
                    (a, _) -> a,
                    TreeMap::new));
    assertThat(reported).isEqualTo(made);
  }
}
