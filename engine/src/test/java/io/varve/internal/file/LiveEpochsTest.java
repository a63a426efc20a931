package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LiveEpochsTest {
  private static final int OPEN = 10_000;

  /// Each snapshot copied the epochs of all that were open.
  @Test
  void whatComesOrGoesCopiesTwoPiecesAtMost() {
    LiveEpochs live = LiveEpochs.NONE;
    for (long epoch = 1; epoch <= OPEN; epoch++) {
      LiveEpochs more = live.plus(epoch);
      assertThat(more.piecesUnlike(live)).isEqualTo(1);
      live = more;
    }
    assertThat(live.pieceCount()).isEqualTo(Math.ceilDiv(OPEN, LiveEpochs.PIECE_MAX));
    List<Long> left = new ArrayList<>();
    for (long epoch = 1; epoch <= OPEN; epoch++) {
      left.add(epoch);
    }
    SplittableRandom random = new SplittableRandom(1);
    while (!left.isEmpty()) {
      int index = random.nextInt(left.size());
      long epoch = left.set(index, left.getLast());
      left.removeLast();
      LiveEpochs less = live.minus(epoch);
      assertThat(less.piecesUnlike(live)).isLessThanOrEqualTo(1);
      // Two neighbours hold more than half a piece together.
      assertThat(less.pieceCount()).isLessThanOrEqualTo(4 * left.size() / LiveEpochs.PIECE_MAX + 1);
      live = less;
    }
    assertThat(live.pieceCount()).isZero();
  }

  @Test
  void answersAsASortedSetDoes() {
    SplittableRandom random = new SplittableRandom(2);
    TreeSet<Long> model = new TreeSet<>();
    LiveEpochs live = LiveEpochs.NONE;
    for (int i = 0; i < 40_000; i++) {
      long epoch = random.nextLong(1, i / 10 + 100);
      boolean grows = random.nextInt(3) > 0 == i < 20_000;
      if (grows && model.add(epoch)) {
        live = live.plus(epoch);
      } else if (!grows && model.remove(epoch)) {
        live = live.minus(epoch);
      }
      long from = random.nextLong(0, i / 10 + 110);
      long to = from + random.nextLong(0, 20);
      Long ceiling = model.ceiling(from);
      Long lower = model.lower(from);
      assertThat(live.anyWithin(from, to)).isEqualTo(ceiling != null && ceiling < to);
      assertThat(live.below(from)).isEqualTo(lower == null ? -1 : lower);
      assertThat(live.oldest()).isEqualTo(model.isEmpty() ? LiveEpochs.NONE_LIVE : model.first());
      assertThat(live.newest()).isEqualTo(model.isEmpty() ? -1 : model.last());
    }
    assertThat(LiveEpochs.of(model).piecesUnlike(LiveEpochs.NONE)).isPositive();
  }
}
