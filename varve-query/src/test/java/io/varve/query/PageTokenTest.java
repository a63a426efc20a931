package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.CITY;
import static io.varve.query.Sample.MIXED;
import static io.varve.query.Sample.SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.Table;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
            askAfter(found, PageToken.write(found.pagedQuery(), forged));
          }
          askAfter(found, PageToken.write(found.pagedQuery(), Arrays.copyOf(position, at)));
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

  private static void assertRefused(Found<?, ?> found, String token) {
    assertThatThrownBy(() -> found.limit(5).after(token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no page of this query ended there")
        .hasMessageContaining("of the same table and condition");
  }

  @Test
  void tokenOfAnotherQueryIsRefused() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store);
      Found<Long, Sample> bonn = samples.where(CITY.eq("Bonn"));
      String token = token(bonn.orderBy(AGE.desc()).limit(1));
      assertRefused(bonn.orderBy(AGE.asc()), token);
      assertRefused(bonn.orderBy(AGE.desc(), SCORE.asc()), token);
      assertRefused(bonn, token);
      assertRefused(samples.all().orderBy(AGE.desc()), token);
      assertRefused(samples.where(CITY.ne("Bonn")).orderBy(AGE.desc()), token);
      assertRefused(bonn.where(AGE.ge(1)).orderBy(AGE.desc()), token);

      Table<Long, Sample> other = Table.of("others", Sample.TABLE.keys(), Sample.TABLE.values());
      Queryable<Long, Sample> others = QueryTable.of(other, Sample.ENTITY).open(store);
      assertRefused(others.where(CITY.eq("Bonn")).orderBy(AGE.desc()), token);

      Found<Long, Sample> next = bonn.orderBy(AGE.desc()).limit(1).after(token);
      assertThatThrownBy(() -> next.orderBy(AGE.asc()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call=orderBy; call it before after");
      assertThatThrownBy(() -> next.where(AGE.ge(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call=where; call it before after");
    }
  }

  /// A position in the order of texts is none in that of numbers.
  @Test
  void tokenOfAnotherTypeIsRefused() {
    try (Store store = Store.inMemory()) {
      String token = token(filled(store).all().orderBy(AGE.desc()).limit(5));
      Attribute<Sample, String> text =
          Attribute.<Sample, String>of("age", String.class, sample -> String.valueOf(sample.age()));
      Queryable<Long, Sample> samples =
          QueryTable.of(Sample.TABLE, Entity.of("sample", Sample.class, List.of(text))).open(store);
      assertRefused(samples.all().orderBy(text.desc()), token);
    }
  }

  /// A token states a position, which every plan finds.
  @Test
  void indexesComeAndGoBetweenPages() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store);
      Found<Long, Sample> found =
          samples.where(CITY.in("Bonn", "Ulm")).orderBy(AGE.desc()).limit(5);
      List<Long> all = keys(found.limit(60));
      String token = token(found);
      assertThat(samples.indexes().drop("city, age")).isTrue();
      assertThat(keys(found.after(token))).isEqualTo(all.subList(5, 10));
      for (String part : List.of("age", "age desc")) {
        Queryable<Long, Sample> again =
            QueryTable.of(Sample.TABLE, Sample.ENTITY).index("city", part).index(part).open(store);
        Found<Long, Sample> asked =
            again.where(CITY.in("Ulm", "Berlin", "Bonn")).orderBy(AGE.desc()).limit(5);
        assertThat(asked.after(token).page().entries()).as(part).hasSize(5);
        Found<Long, Sample> same = again.where(CITY.in("Bonn", "Ulm")).orderBy(AGE.desc());
        assertThat(keys(same.limit(5).after(token))).as(part).isEqualTo(all.subList(5, 10));
      }
    }
  }

  private static List<Long> keys(Found<Long, Sample> found) {
    return found.page().entries().stream().map(Map.Entry::getKey).toList();
  }
}
