package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.CITY;
import static io.varve.query.Sample.MIXED;
import static io.varve.query.Sample.SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tokens of pages come back from clients: what is damaged or made up is refused with a message.
class PageTokenTest {
  private static final List<List<Order<Sample>>> ORDERS =
      List.of(
          List.of(MIXED.asc()),
          List.of(MIXED.desc(), AGE.asc()),
          List.of(CITY.desc(), AGE.desc()),
          List.of(SCORE.asc()),
          List.of());

  private static List<Sorting> sortings(List<Order<Sample>> orders) {
    return orders.stream()
        .map(order ->
            new Sorting(
                new Expression.Path(0, order.attribute()),
                order.isDescending(),
                order.nulls() == Nulls.FIRST))
        .toList();
  }

  @SuppressWarnings("unchecked") // orders of one class
  private static Found<Long, Sample> found(
      Queryable<Long, Sample> samples, List<Order<Sample>> orders) {
    return samples.all().orderBy(orders.toArray(Order[]::new)).limit(30);
  }

  private static Queryable<Long, Sample> filled(Store store) {
    Queryable<Long, Sample> samples =
        QueryTable.of(Sample.TABLE, Sample.ENTITY).index("city", "age").index("mixed").open(store);
    store.transact(tx -> {
      for (long key = 0; key < 60; key++) {
        samples.in(tx).map().put(key, Sample.of(key));
      }
    });
    return samples;
  }

  private static String token(Found<Long, Sample> found) {
    String token = found.page().next();
    assertThat(token).isNotNull();
    return token == null ? "" : token;
  }

  @Test
  void aTokenWithOneOtherCharacterIsRefused() {
    try (Store store = Store.inMemory()) {
      Found<Long, Sample> found = found(filled(store), ORDERS.getFirst());
      String token = token(found);
      for (int at = 0; at < token.length(); at++) {
        String damaged = token.substring(0, at) + '~' + token.substring(at + 1);
        String shortened = token.substring(0, at);
        for (String other : List.of(damaged, shortened)) {
          assertThatThrownBy(() -> found.after(other))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("continue with the order that the page had");
        }
      }
    }
  }

  /// With the right checksum, as anyone can compute it.
  @Test
  void forgedPositionsGiveAPageOrAreRefused() {
    var random = new Random(1);
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store);
      for (List<Order<Sample>> order : ORDERS) {
        Found<Long, Sample> found = found(samples, order);
        byte[] token = Base64.getUrlDecoder().decode(token(found));
        byte[] position = Arrays.copyOfRange(token, Integer.BYTES, token.length);
        for (int at = 0; at < position.length; at++) {
          for (int i = 0; i < 20; i++) {
            byte[] forged = position.clone();
            forged[at] = (byte) random.nextInt();
            askAfter(found, PageToken.write(sortings(order), forged));
          }
          askAfter(found, PageToken.write(sortings(order), Arrays.copyOf(position, at)));
        }
      }
    }
  }

  private static void askAfter(Found<Long, Sample> found, String token) {
    try {
      assertThat(found.after(token).page().entries()).hasSizeLessThanOrEqualTo(60);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("continue with the same order");
    }
  }
}
