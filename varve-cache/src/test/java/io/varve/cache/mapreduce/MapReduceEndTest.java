package io.varve.cache.mapreduce;

import static io.varve.cache.mapreduce.WordJobs.TINY;
import static io.varve.cache.mapreduce.WordJobs.await;
import static io.varve.cache.mapreduce.WordJobs.requireNothingLeft;
import static io.varve.cache.mapreduce.WordJobs.texts;
import static io.varve.cache.mapreduce.WordJobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How jobs end: by a failure of any phase, by a cancel, or with results. After each test no thread
/// of a job runs, and no file of one is left.
@Tag("slow")
@Timeout(240)
class MapReduceEndTest {
  @TempDir Path spills;

  @AfterEach
  void nothingIsLeft() throws IOException {
    requireNothingLeft(spills);
  }

  /// A program keeps a job for its statistics.
  @Test
  void aJobThatIsDoneHoldsNoTables() {
    List<WeakReference<Object>> keys = Collections.synchronizedList(new ArrayList<>());
    Job<Long> job =
        MapReduce.<Integer, String, Long>map(
                (number, out) -> {
                  String key = "key" + number;
                  keys.add(new WeakReference<>(key));
                  out.emit(key, 1L);
                })
            .combine(Long::sum)
            .threads(2)
            .start(IntStream.range(0, 100).boxed(), Stream::count);
    assertThat(job.join()).isEqualTo(100);
    for (int tries = 0; tries < 100 && keys.stream().anyMatch(k -> k.get() != null); tries++) {
      System.gc();
    }
    assertThat(keys).hasSize(100).allMatch(key -> key.get() == null);
    assertThat(job.statistics().distinct()).isEqualTo(100);
  }

  /// A mapper may leave the interrupt flag set; no element is lost for it.
  @Test
  void aMapperThatInterruptsItselfEndsNothing() {
    Map<String, Long> counts =
        MapReduce.<Integer, String, Long>map(
                (number, out) -> {
                  Thread.currentThread().interrupt();
                  out.emit("all", 1L);
                })
            .combine(Long::sum)
            .threads(4)
            .run(IntStream.range(0, 10_000).boxed());
    assertThat(counts).isEqualTo(Map.of("all", 10_000L));
  }

  private enum Phase {
    STREAM,
    MAPPER,
    COMBINER,
    MARSHALLER,
    MARSHALLER_BACK,
    REDUCER,
    COLLATOR
  }

  /// Fails at some call, when others have been done.
  private static final class Failing {
    private final Error error = new StackOverflowError("planned");
    private final Phase phase;

    Failing(Phase phase) {
      this.phase = phase;
    }

    void pass(Phase passed, boolean isTime) {
      if (phase == passed && isTime) {
        throw error;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfAnyPhaseEndsTheJob(Phase phase) {
    Failing failing = new Failing(phase);
    AtomicBoolean closed = new AtomicBoolean();
    Marshaller<String> strings = Marshallers.ofKeys(String.class, getClass().getClassLoader());
    Marshaller<Long> numbers = Marshallers.ofType(Long.class, getClass().getClassLoader());
    Marshaller<Long> values =
        new Marshaller<>() {
          @Override
          public byte[] toBytes(Long number) {
            failing.pass(Phase.MARSHALLER, number > 2);
            return numbers.toBytes(number);
          }

          @Override
          public Long fromBytes(byte[] bytes) {
            failing.pass(Phase.MARSHALLER_BACK, true);
            return numbers.fromBytes(bytes);
          }
        };
    Job<Long> job =
        MapReduce.<String, String, Long>map(
                (text, out) -> {
                  for (String word : text.split(" ")) {
                    failing.pass(Phase.MAPPER, word.endsWith("77"));
                    out.emit(word, 1L);
                  }
                })
            .combine((one, other) -> {
              failing.pass(Phase.COMBINER, one > 3);
              return one + other;
            })
            .reduce((String word, Iterator<Long> counts) -> {
              failing.pass(Phase.REDUCER, word.endsWith("3"));
              return counts.next();
            })
            .marshallers(strings, values)
            .threads(3)
            .budgetBytes(TINY)
            .spillDirectory(spills)
            .start(
                texts(3000).stream()
                    .peek(text -> failing.pass(Phase.STREAM, text.contains("word99 ")))
                    .onClose(() -> closed.set(true)),
                results -> {
                  long count = results.limit(100).count();
                  failing.pass(Phase.COLLATOR, true);
                  return count;
                });
    assertThatThrownBy(job::join).isSameAs(failing.error);
    assertThatThrownBy(job::join).isSameAs(failing.error);
    assertThat(closed).isTrue();
    assertThat(job.isDone()).isTrue();
    assertThat(job.cancel()).isFalse();
  }

  /// A mapper that waits for something is interrupted when another one fails.
  @Test
  void aFailureWakesMappersThatWait() {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    Job<Map<Integer, Integer>> job =
        MapReduce.<Integer, Integer, Integer>map(
                (number, out) -> {
                  if (number == 0) {
                    waiting.countDown();
                    await(never);
                  }
                  await(waiting);
                  throw new IllegalArgumentException("planned");
                })
            .combine(Integer::sum)
            .threads(2)
            .start(Stream.of(0, 1), WordJobs::collect);
    assertThatThrownBy(job::join)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("planned");
  }

  @Test
  void aResultOfNothingIsAFailure() {
    MapReduce<String, String, Long, Long> counting = wordCount(TINY, spills);
    assertThatThrownBy(() -> counting.combine((_, _) -> null).run(Stream.of("a a")))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("combiner");
    assertThatThrownBy(() -> counting.reduce((_, _) -> null).run(Stream.of("a a")))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("reducer");
  }

  @Test
  void aCancelEndsMappers() throws Exception {
    CountDownLatch mapping = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    Job<Map<Integer, Integer>> job =
        MapReduce.<Integer, Integer, Integer>map(
                (number, out) -> {
                  for (int i = 0; true; i++) { // until the job ends
                    out.emit(i, number);
                    if (i == 20_000) {
                      mapping.countDown();
                    }
                  }
                })
            .combine(Integer::sum)
            .threads(2)
            .budgetBytes(TINY)
            .spillDirectory(spills)
            .start(
                IntStream.range(0, 100).boxed().onClose(() -> closed.set(true)), WordJobs::collect);
    mapping.await();
    assertThat(job.progress().phase()).isEqualTo(Progress.Phase.MAPPING);
    assertThat(job.statistics().spills()).isPositive();
    assertThat(job.cancel()).isTrue();
    assertThatThrownBy(job::join)
        .isInstanceOf(CancellationException.class)
        .hasMessage("the job was cancelled");
    assertThat(closed).isTrue();
    assertThat(job.isDone()).isTrue();
    assertThat(job.progress().phase()).isEqualTo(Progress.Phase.DONE);
    assertThat(job.progress().share()).isLessThan(1);
    assertThat(job.statistics()).as("times do not grow").isEqualTo(job.statistics());
    assertThat(job.cancel()).isFalse();
  }

  @Test
  void aCancelEndsTheCollator() throws Exception {
    CountDownLatch collating = new CountDownLatch(1);
    Job<Long> job =
        wordCount(TINY, spills)
            .start(
                texts(1000).stream(),
                results -> {
                  long count = 0;
                  for (Iterator<?> all = results.iterator(); all.hasNext(); all.next()) {
                    collating.countDown();
                    if (++count > 10) {
                      await(new CountDownLatch(1));
                    }
                  }
                  return count;
                });
    collating.await();
    assertThat(job.progress().phase()).isEqualTo(Progress.Phase.REDUCING);
    assertThat(job.cancel()).isTrue();
    assertThatThrownBy(job::join).isInstanceOf(CancellationException.class);
  }

  /// What a mapper of a cancelled job still makes of its element has no effect.
  @Test
  void progressIsOfWhatMappersAreDoneWith() throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    CountDownLatch rest = new CountDownLatch(1);
    Job<Map<Integer, Integer>> job =
        MapReduce.<Integer, Integer, Integer>map(
                (number, out) -> {
                  if (number == 50) {
                    half.countDown();
                    await(rest);
                  }
                  out.emit(number, number);
                })
            .combine(Integer::sum)
            .threads(1)
            .start(IntStream.range(0, 100).boxed(), WordJobs::collect);
    half.await();
    Progress progress = job.progress();
    assertThat(progress.entriesDone()).isBetween(0L, 99L);
    assertThat(progress.entriesTotal()).isEqualTo(100);
    assertThat(progress.share()).isBetween(0.0, 0.99);
    rest.countDown();
    assertThat(job.join()).hasSize(100);
    assertThat(job.progress().entriesDone()).isEqualTo(100);
  }
}
