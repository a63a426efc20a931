package io.varve.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MarshallersTest {
  record Point(int x, int y) implements Serializable {}

  private static <T> Marshaller<T> marshaller(Class<T> type, String... allowed) {
    return Marshallers.ofType(type, MarshallersTest.class.getClassLoader(), allowed);
  }

  @Test
  void everyScalarComesBack() {
    Marshaller<Object> marshaller = marshaller(Object.class);
    for (Object value :
        List.of(
            "",
            "text",
            "\0",
            "\ud83d\ude00",
            "\ud800 alone",
            "\udc00\ud800",
            1,
            -1,
            Long.MIN_VALUE,
            1.5,
            Double.NaN,
            -0.0f,
            (short) 7,
            (byte) -7,
            'x',
            true,
            false,
            new UUID(1, -2))) {
      byte[] bytes = marshaller.toBytes(value);
      assertThat(marshaller.fromBytes(bytes)).isEqualTo(value).hasSameClassAs(value);
      assertThat(marshaller.toBytes(value)).isEqualTo(bytes);
    }
    byte[] bytes = {1, 2, 3};
    assertThat(marshaller.fromBytes(marshaller.toBytes(bytes))).isEqualTo(bytes);
  }

  @Test
  void valuesOfTheJdkAndOfTheDeclaredTypeComeBack() {
    Marshaller<Object> any = marshaller(Object.class);
    for (Object value :
        List.of(List.of(1, "a"), Map.of("k", 2), Instant.EPOCH, new int[0].length)) {
      assertThat(any.fromBytes(any.toBytes(value))).isEqualTo(value);
    }
    Marshaller<Point> points = marshaller(Point.class);
    assertThat(points.fromBytes(points.toBytes(new Point(1, 2)))).isEqualTo(new Point(1, 2));
  }

  @Test
  void otherClassesAreRefusedWhenTheyAreRead() {
    byte[] point = marshaller(Object.class, "io.varve.cache.*").toBytes(new Point(1, 2));
    assertThat(marshaller(Object.class, "io.varve.cache.*").fromBytes(point))
        .isEqualTo(new Point(1, 2));
    assertThatThrownBy(() -> marshaller(Object.class).fromBytes(point))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("allowed patterns");
  }

  /// A class that was changed after the object was written has another number in the bytes.
  @Test
  void aClassThatHasChangedIsNamed() {
    Marshaller<Numbered> marshaller = marshaller(Numbered.class);
    byte[] bytes = marshaller.toBytes(new Numbered());
    String name = Numbered.class.getName();
    int serialVersion = new String(bytes, ISO_8859_1).indexOf(name) + name.length();
    bytes[serialVersion] ^= 1;
    assertThatThrownBy(() -> marshaller.fromBytes(bytes))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("has changed")
        .hasMessageNotContaining("allowed patterns");
  }

  private static final class Numbered implements Serializable {}

  /// Guards against values that can be put and never be got.
  @Test
  void otherClassesAreRefusedWhenTheyAreWritten() {
    for (Object value : List.of(new Point(1, 2), List.of(new Point(1, 2)), new Point[1])) {
      assertThatThrownBy(() -> marshaller(Object.class).toBytes(value))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining(Point.class.getName())
          .hasMessageContaining("allowed patterns");
    }
    assertThatThrownBy(() -> marshaller(Object.class).toBytes(new Object()))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("serializable");
  }

  /// Guards against objects that would come back as those of another class.
  @Test
  void classesOfOtherLoadersAreRefused() {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    Marshaller<Point> elsewhere = Marshallers.ofType(Point.class, platform);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(platform);
    try {
      assertThatThrownBy(() -> elsewhere.toBytes(new Point(1, 2)))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("class loader");
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void arraysAndCalendarsComeBack() {
    Marshaller<Point[]> points = marshaller(Point[].class);
    Point[] two = {new Point(1, 2), new Point(3, 4)};
    assertThat(points.fromBytes(points.toBytes(two))).isEqualTo(two);
    Marshaller<Calendar> calendars = marshaller(Calendar.class);
    Calendar now = Calendar.getInstance();
    assertThat(calendars.fromBytes(calendars.toBytes(now))).isEqualTo(now);
  }

  record Pair(String first, Object second) implements Serializable {}

  /// Guards against references to parts that were written before, which show whether two parts are
  /// one object and so distinguish equal keys.
  @Test
  @SuppressWarnings("StringOperationCanBeSimplified") // another object on purpose
  void equalKeysHaveEqualBytes() {
    Marshaller<Pair> keys = Marshallers.ofKeys(Pair.class, getClass().getClassLoader());
    byte[] shared = keys.toBytes(new Pair("a", "a"));
    assertThat(keys.toBytes(new Pair("a", new String("a")))).isEqualTo(shared);
    Pair inner = new Pair("x", 1000);
    assertThat(keys.toBytes(new Pair("a", new Pair("x", new Pair("x", 1000)))))
        .isEqualTo(keys.toBytes(new Pair("a", new Pair("x", inner))));
    assertThat(keys.fromBytes(shared)).isEqualTo(new Pair("a", "a"));
    Marshaller<Object> any = Marshallers.ofKeys(Object.class, getClass().getClassLoader());
    double otherNaN = Double.longBitsToDouble(0x7ff8000000000001L);
    assertThat(any.toBytes(otherNaN)).isEqualTo(any.toBytes(Double.NaN));
  }

  record Parts(Object first, Object second) {}

  record Id(String value) {}

  record OtherId(String value) {}

  /// Guards against parts that serialization replaces by objects that are equal to no other.
  @Test
  void equalKeysHaveEqualBytesWhateverTheirPartsAreWrittenAs() throws Exception {
    Marshaller<Pair> keys = Marshallers.ofKeys(Pair.class, getClass().getClassLoader());
    for (String text : List.of("2026-11-27", "2026-11-28")) {
      LocalDate date = LocalDate.parse(text);
      Pair shared = new Pair("a", new Pair("b", new Object[] {date, date, new int[1]}));
      Pair apart =
          new Pair("a", new Pair("b", new Object[] {date, LocalDate.parse(text), new int[1]}));
      assertThat(keys.toBytes(apart)).isEqualTo(keys.toBytes(shared));
    }
    byte[] empty = {};
    Marshaller<Object[]> arrays = Marshallers.ofKeys(Object[].class, getClass().getClassLoader());
    byte[] shared = arrays.toBytes(new Object[] {empty, empty, Instant.EPOCH});
    assertThat(arrays.toBytes(new Object[] {empty, new byte[0], Instant.ofEpochMilli(0)}))
        .isEqualTo(shared);
    assertThat(arrays.toBytes(new Object[] {empty, new byte[1], Instant.EPOCH}))
        .isNotEqualTo(shared);
    Object[] read = arrays.fromBytes(shared);
    assertThat(read).isEqualTo(new Object[] {empty, empty, Instant.EPOCH});
    LocalDate date = LocalDate.EPOCH;
    Object[] nested = {new Object[] {date, date}, new Object[] {date, date}};
    Object[] equal = {
      new Object[] {date, LocalDate.ofEpochDay(0)}, new Object[] {LocalDate.ofEpochDay(0), date}
    };
    assertThat(arrays.toBytes(equal)).isEqualTo(arrays.toBytes(nested));
  }

  /// Keys in stores are found by the bytes that they have there.
  @Test
  void keysWithoutEqualPartsAreWrittenAsSerializationWritesThem() throws Exception {
    Marshaller<Pair> keys = Marshallers.ofKeys(Pair.class, getClass().getClassLoader());
    LocalDate date = LocalDate.EPOCH;
    for (Object part :
        List.of(
            date,
            new Object[] {date, date.plusDays(1), new byte[] {1}, new byte[] {2}},
            new Object[] {date, date},
            new Pair("b", Month.MAY))) {
      byte[] bytes = keys.toBytes(new Pair("a", part));
      assertThat(bytes[0]).isZero();
      assertThat(Arrays.copyOfRange(bytes, 1, bytes.length))
          .isEqualTo(serialized(new Pair("a", part)));
    }
    ClassLoader loader = getClass().getClassLoader();
    Parts plain = new Parts(new Id("a"), new OtherId("b"));
    assertThat(Marshallers.ofKeys(Parts.class, loader, "io.varve.cache.*").toBytes(plain))
        .isEqualTo(Marshallers.ofType(Parts.class, loader, "io.varve.cache.*").toBytes(plain));
  }

  @Test
  void keysWithCollectionsNeedAMarshaller() {
    Marshaller<Pair> keys = Marshallers.ofKeys(Pair.class, getClass().getClassLoader());
    for (Object part :
        List.of(new HashSet<>(), new ArrayList<>(), Map.of("a", 1), List.of(1), Set.of(1, 2))) {
      assertThatThrownBy(() -> keys.toBytes(new Pair("a", part)))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("give the cache a marshaller");
    }
  }

  /// Guards against bytes of a few hundred bytes that take all memory, or all time.
  @Test
  @Timeout(300)
  void hostileBytesAreRefused() throws Exception {
    Marshaller<Object> marshaller = Marshallers.serialization(null);
    byte[] array = serialized(new long[] {1});
    ByteBuffer.wrap(array).putInt(array.length - Integer.BYTES - Long.BYTES, Integer.MAX_VALUE - 8);
    assertThatThrownBy(() -> marshaller.fromBytes(array)).isInstanceOf(CacheException.class);

    byte[] sets = serialized(setsWithinSets(28));
    assertThatThrownBy(() -> marshaller.fromBytes(sets)).isInstanceOf(CacheException.class);
    byte[] fewSets = serialized(setsWithinSets(10));
    assertThat(marshaller.fromBytes(fewSets)).isInstanceOf(Set.class);

    Object nested = "core";
    for (int i = 0; i < 600; i++) {
      nested = new Object[] {nested};
    }
    byte[] deep = serialized(nested);
    assertThatThrownBy(() -> marshaller.fromBytes(deep)).isInstanceOf(CacheException.class);
  }

  /// Bytes can refer to a part again, and so make collections that are no nest and take years to
  /// hash.
  @Test
  @Timeout(300)
  void hostileReferencesAreRefused() throws Exception {
    Marshaller<Object> marshaller = Marshallers.serialization(null);
    List<Set<Object>> innermostFirst = levelsOfSets(40).reversed();
    byte[] sets = serialized(innermostFirst.toArray());
    assertThatThrownBy(() -> marshaller.fromBytes(sets))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("exceeded limit: hashingCost, max=67108864");
    Object lists = "core";
    for (int i = 0; i < 60; i++) {
      lists = List.of(lists, lists);
    }
    byte[] inOneSet = serialized(new Object[] {lists});
    assertThatThrownBy(() -> marshaller.fromBytes(inOneSet))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("exceeded limit: hashingCost, max=67108864");
    byte[] few = serialized(levelsOfSets(10).reversed().toArray());
    assertThat(marshaller.fromBytes(few)).isInstanceOf(Object[].class);
  }

  /// Of lists within lists, each of which holds the one before twice, and of maps alike.
  @Test
  @Timeout(300)
  void hostileReferencesFromATableAreRefused() throws Exception {
    Marshaller<Object> marshaller = Marshallers.serialization(null);
    List<Object> lists = new ArrayList<>();
    Map<String, Object> maps = new HashMap<>();
    Set<Object> within = new HashSet<>(List.of(new ArrayList<>()));
    Set<Object> after = new HashSet<>(List.of(lists));
    List<Object> ofMaps = new ArrayList<>();
    ofMaps.add("innermost first, since a nest is refused by its levels");
    Object lists60 = new ArrayList<>(List.of("core"));
    Map<String, Object> maps60 = new HashMap<>(Map.of("a", "core"));
    for (int i = 0; i < 60; i++) {
      lists60 = new ArrayList<>(Arrays.asList(lists60, lists60));
      Map<String, Object> next = new HashMap<>();
      next.put("a", maps60);
      next.put("b", maps60);
      ofMaps.add(maps60);
      maps60 = next;
    }
    ofMaps.add(new HashSet<>(List.of(maps)));
    lists.add(lists60); // hashed before as an empty one
    maps.put("a", maps60);
    @SuppressWarnings("unchecked")
    List<Object> part = (List<Object>) within.iterator().next();
    part.add(lists60);
    for (Object hostile : List.of(within, new Object[] {lists, after}, ofMaps)) {
      byte[] bytes = serialized(hostile);
      assertThatThrownBy(() -> marshaller.fromBytes(bytes))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("exceeded limit: hashingCost");
    }
  }

  /// Nothing hashes lists, nor the values of a map.
  @Test
  void listsThatShareAListComeBack() throws Exception {
    Marshaller<Object> marshaller = Marshallers.serialization(null);
    List<Integer> shared = new ArrayList<>(Collections.nCopies(10_000, 1));
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 7_000; i++) {
      rows.add(new ArrayList<>(Arrays.asList(shared, "row")));
    }
    assertThat(marshaller.fromBytes(serialized(rows))).isInstanceOf(ArrayList.class);
    byte[] inMap = serialized(new HashMap<>(Map.of("rows", rows)));
    assertThat(marshaller.fromBytes(inMap)).isInstanceOf(HashMap.class);
  }

  /// Each part of a list that many others wrap is looked at one time only. Parts of other views are
  /// not looked at again and again.
  @Test
  @Timeout(300)
  void wrappersOfOneListTakeNoTime() throws Exception {
    Marshaller<Object> marshaller = Marshallers.serialization(null);
    List<Object> shared = new ArrayList<>(Collections.nCopies(500_000, null));
    List<Object> wrappers = new ArrayList<>();
    for (int i = 0; i < 31_000; i++) {
      wrappers.add(Collections.unmodifiableList(shared));
    }
    assertThat(marshaller.fromBytes(serialized(wrappers))).isInstanceOf(ArrayList.class);
    byte[] wrappersAndTable =
        serialized(new Object[] {new HashSet<>(), wrappers.subList(0, 1_000).toArray()});
    assertThat(marshaller.fromBytes(wrappersAndTable)).isInstanceOf(Object[].class);

    TreeMap<Integer, String> map = new TreeMap<>();
    for (int i = 0; i < 100_000; i++) {
      map.put(i, "v");
    }
    List<Object> views = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      views.add(map.tailMap(0));
    }
    byte[] withTable = serialized(new Object[] {views, new HashSet<>()});
    assertThatThrownBy(() -> marshaller.fromBytes(withTable))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("exceeded limit: hashingCost");
  }

  record Comment(String text, List<Comment> replies) {}

  record Link(int number, Link next) implements Serializable {}

  /// What is put can be read, or is refused when it is put.
  @Test
  void deepNestsComeBackOrAreRefusedWhenTheyAreWritten() {
    Marshaller<Object> marshaller = marshaller(Object.class, "io.varve.cache.*");
    Comment comment = new Comment("first", List.of());
    Comment changed = new Comment("first", new ArrayList<>());
    for (int i = 0; i < 150; i++) {
      comment = new Comment("reply", List.of(comment, new Comment("other", List.of())));
      changed = new Comment("reply", new ArrayList<>(List.of(changed)));
    }
    assertThat(marshaller.fromBytes(marshaller.toBytes(comment))).isEqualTo(comment);
    assertThat(marshaller.fromBytes(marshaller.toBytes(changed))).isEqualTo(changed);
    Link chain = new Link(0, null);
    Object tables = new HashMap<>();
    int written = 0;
    int writtenTables = 0;
    for (int i = 1; i < 600; i++) {
      chain = new Link(i, chain);
      tables = new HashMap<>(Map.of("inner", tables));
      written += comesBackOrIsRefused(marshaller, chain, "levels=500, max=499") ? 1 : 0;
      if (i < 50) {
        writtenTables +=
            comesBackOrIsRefused(marshaller, tables, "nestedHashTables=21, max=20") ? 1 : 0;
      }
    }
    assertThat(written).isBetween(490, 500);
    assertThat(writtenTables).isBetween(18, 20);
    List<Object> wide = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      wide.add(new HashMap<>(Map.of("a", new Link(i, null))));
    }
    assertThat(marshaller.fromBytes(marshaller.toBytes(wide))).isEqualTo(wide);
  }

  private static boolean comesBackOrIsRefused(
      Marshaller<Object> marshaller, Object object, String expected) {
    byte[] bytes;
    try {
      bytes = marshaller.toBytes(object);
    } catch (CacheException e) {
      assertThat(e).hasMessageContaining("object is nested too deeply");
      assertThat(e).hasMessageContaining(expected);
      return false;
    }
    assertThat(marshaller.fromBytes(bytes)).isEqualTo(object);
    return true;
  }

  private static byte[] serialized(Object object) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var output = new ObjectOutputStream(bytes)) {
      output.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /// Sets of which each holds two, so that hashing the outermost takes time that doubles with each.
  private static Set<Object> setsWithinSets(int depth) {
    return levelsOfSets(depth).getFirst();
  }

  /// The sets of [#setsWithinSets], the outermost first.
  private static List<Set<Object>> levelsOfSets(int depth) {
    List<Set<Object>> all = new ArrayList<>();
    Set<Object> one = new HashSet<>();
    Set<Object> other = new HashSet<>();
    for (int i = 0; i < depth; i++) {
      Set<Object> innerOne = new HashSet<>(Set.of("x"));
      Set<Object> innerOther = new HashSet<>();
      one.add(innerOne);
      one.add(innerOther);
      other.add(innerOne);
      other.add(innerOther);
      all.add(one);
      all.add(other);
      one = innerOne;
      other = innerOther;
    }
    return all;
  }

  @Test
  void whatIsDamagedIsRefused() {
    Marshaller<Object> marshaller = marshaller(Object.class);
    for (byte[] bytes : new byte[][] {{}, {99}, {0}, {0, 1, 2}, {3, 1}}) {
      assertThatThrownBy(() -> marshaller.fromBytes(bytes)).isInstanceOf(CacheException.class);
    }
  }
}
