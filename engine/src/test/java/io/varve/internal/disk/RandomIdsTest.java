package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RandomIdsTest {
  /// Each of the 128 bits is set in some ids and clear in others.
  @Test
  void noTwoIdsAreEqualAndNoBitIsFixed() {
    Set<UUID> ids = new HashSet<>();
    UUID any = new UUID(0, 0);
    UUID all = new UUID(-1, -1);
    for (int i = 0; i < 200; i++) {
      UUID id = RandomIds.next();
      assertThat(ids.add(id)).isTrue();
      any =
          new UUID(
              any.getMostSignificantBits() | id.getMostSignificantBits(),
              any.getLeastSignificantBits() | id.getLeastSignificantBits());
      all =
          new UUID(
              all.getMostSignificantBits() & id.getMostSignificantBits(),
              all.getLeastSignificantBits() & id.getLeastSignificantBits());
    }
    assertThat(any).isEqualTo(new UUID(-1, -1));
    assertThat(all).isEqualTo(new UUID(0, 0));
  }
}
