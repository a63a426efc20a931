package io.varve.cache.internal.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javax.cache.Cache;
import javax.cache.event.EventType;
import org.junit.jupiter.api.Test;

/// One delivery that breaks off is not the last (D2): the listener heard nothing more then, and its
/// events gathered without a bound.
class DeferredDeliveryTest {
  @SuppressWarnings("unchecked") // nothing asks it for anything
  private static final Cache<String, String> CACHE =
      (Cache<String, String>)
          Proxy.newProxyInstance(
              Cache.class.getClassLoader(), new Class<?>[] {Cache.class}, (_, _, _) -> null);

  private final List<String> heard = new ArrayList<>();
  private int failures;

  private static Event<String, String> event(String key) {
    return new Event<>(CACHE, EventType.CREATED, key, "value", null);
  }

  private void failOnce(String what) {
    if (failures++ == 0) {
      throw new IllegalStateException(what);
    }
  }

  @Test
  void anEventThatFindsNoThreadIsDeliveredWithTheNext() {
    Executor executor =
        task -> {
          failOnce("no thread");
          task.run();
        };
    var delivery = new QueuedDelivery<String, String>(this::hear, executor);
    assertThatThrownBy(() -> delivery.tell(event("a"))).isInstanceOf(IllegalStateException.class);
    delivery.tell(event("b"));
    assertThat(heard).containsExactly("a", "b");
  }

  @Test
  void whatAListenerThrowsKeepsNoOtherEventFromIt() {
    var delivery =
        new QueuedDelivery<String, String>(
            events -> {
              failOnce("its logger");
              hear(events);
            },
            Runnable::run);
    delivery.tell(event("a"));
    delivery.tell(event("b"));
    assertThat(heard).containsExactly("b");
  }

  private void hear(List<Event<String, String>> events) {
    events.forEach(event -> heard.add(event.getKey()));
  }
}
