package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A decoder reads in place, while a writer may change the page. Whatever it throws then counts
/// only if the page was not changed: a torn length may well end in an error.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DecoderErrorTest {
  private static final byte[] KEY = "k".getBytes(StandardCharsets.UTF_8);

  private static Error error(Class<? extends Error> type) {
    try {
      return type.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, AssertionError.class})
  void errorOverATornPageDoesNotCount(Class<? extends Error> type) {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, new byte[] {1});
      AtomicInteger calls = new AtomicInteger();
      Byte read =
          space.get(
              KEY,
              value -> {
                if (calls.getAndIncrement() == 0) {
                  space.put(KEY, new byte[] {2}); // under the reader
                  throw error(type);
                }
                return value.get(ValueLayout.JAVA_BYTE, 0);
              });
      assertThat(read).isEqualTo((byte) 2);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, CorruptStoreException.class})
  void failureOverAnUnchangedPageIsThrown(Class<? extends Throwable> type) {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, new byte[] {1});
      assertThatThrownBy(() ->
              space.get(
                  KEY,
                  _ -> {
                    if (type == CorruptStoreException.class) {
                      throw new CorruptStoreException("no such class");
                    }
                    throw new OutOfMemoryError("too long");
                  }))
          .isInstanceOf(type);
    }
  }
}
