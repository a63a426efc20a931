package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.util.HexFormat;
import java.util.Set;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.commons.util.IntSets;
import org.infinispan.marshall.persistence.impl.MarshalledEntryFactoryImpl;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.PersistenceException;
import org.junit.jupiter.api.Test;

/// The bytes of keys and values, which stay as they are: caches of every release are to be read.
class EntryLayoutTest {
  @SuppressWarnings("unchecked") // of no type: it marshals nothing here
  private static final MarshallableEntryFactory<String, String> FACTORY =
      new MarshalledEntryFactoryImpl();

  private static ByteBuffer bytes(String hex) {
    return ByteBufferImpl.create(HexFormat.of().parseHex(hex));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String hex(ByteBuffer buffer) {
    return HexFormat.of()
        .formatHex(buffer.getBuf(), buffer.getOffset(), buffer.getOffset() + buffer.getLength());
  }

  @Test
  void aKeyIsItsSegmentAndWhatWasMarshalled() {
    byte[] key = EntryKey.of(0x8001, ByteBufferImpl.create(new byte[] {9, 0xa, 0xb, 9}, 1, 2));
    assertThat(hex(key)).isEqualTo("80010a0b");
    assertThat(EntryKey.segment(key)).isEqualTo(0x8001);
    assertThat(hex(EntryKey.marshalled(key))).isEqualTo("0a0b");
    assertThat(hex(EntryKey.inSegment(2, key))).isEqualTo("00020a0b");
  }

  @Test
  void aKeyOfTheIndexIsATimeAndAKey() {
    byte[] key = ExpiryKey.of(0x0102030405060708L, HexFormat.of().parseHex("80010a0b"));
    assertThat(hex(key)).isEqualTo("010203040506070880010a0b");
    assertThat(ExpiryKey.time(key)).isEqualTo(0x0102030405060708L);
    assertThat(hex(ExpiryKey.entryKey(key))).isEqualTo("80010a0b");
    assertThat(ExpiryKey.until(0x0102030405060708L).contains(key)).isTrue();
    assertThat(ExpiryKey.until(0x0102030405060707L).contains(key)).isFalse();
  }

  @Test
  void aKeyThatIsTooLongIsRefused() {
    ByteBuffer longest = ByteBufferImpl.create(new byte[EntryKey.MARSHALLED_BYTES_MAX]);
    assertThat(ExpiryKey.of(1, EntryKey.of(1, longest))).hasSize(Space.KEY_BYTES_MAX);
    ByteBuffer longer = ByteBufferImpl.create(new byte[EntryKey.MARSHALLED_BYTES_MAX + 1]);
    assertThatThrownBy(() -> EntryKey.of(1, longer))
        .isInstanceOf(PersistenceException.class)
        .hasMessage(
            "marshalled key too long: keyBytes=4087, max=4086; use shorter keys, or a hash of"
                + " each");
  }

  @Test
  void aRunOfSegmentsIsOneRange() {
    assertThat(EntryKey.ranges(IntSets.immutableRangeSet(256)))
        .containsExactly(range("0000", "0100"));
    assertThat(EntryKey.ranges(IntSets.from(Set.of(3, 4, 9, 5, 11))))
        .containsExactly(range("0003", "0006"), range("0009", "000a"), range("000b", "000c"));
    assertThat(EntryKey.ranges(IntSets.immutableSet(0xffff)))
        .containsExactly(Range.atLeast(new byte[] {-1, -1}));
    assertThat(EntryKey.ranges(IntSets.immutableSet(0x10000)).getFirst().isEmpty()).isTrue();
    assertThat(EntryKey.ranges(IntSets.immutableEmptySet())).isEmpty();
  }

  private static Range range(String from, String to) {
    return Range.of(HexFormat.of().parseHex(from), HexFormat.of().parseHex(to));
  }

  @Test
  void anEntryThatNeverExpiresTakesOneByteMoreThanItsValue() {
    byte[] value = EntryValue.of(FACTORY.create(bytes("0a"), bytes("0b0c")));
    assertThat(hex(value)).isEqualTo("000b0c");
    assertThat(EntryValue.expiry(value)).isEqualTo(EntryValue.NEVER);
    MarshallableEntry<String, String> read = EntryValue.read(value).entry("0a", FACTORY);
    assertThat(hex(read.getValueBytes())).isEqualTo("0b0c");
    assertThat(read.created()).isEqualTo(-1);
    assertThat(read.getMetadata()).isNull();
  }

  @Test
  void whatWasMarshalledPassesThrough() {
    byte[] value =
        EntryValue.of(
            FACTORY.create(bytes("0a"), bytes("0b0c"), null, bytes("0d0e0f"), 0x11, 0x12));
    assertThat(hex(value))
        .isEqualTo(
            "05"
                + "ffffffffffffffff"
                + "0000000000000011"
                + "0000000000000012"
                + "00000003"
                + "0d0e0f"
                + "0b0c");
    MarshallableEntry<String, String> read =
        EntryValue.read(value).marshalledEntry(bytes("0a"), FACTORY);
    assertThat(hex(read.getInternalMetadataBytes())).isEqualTo("0d0e0f");
    assertThat(hex(read.getValueBytes())).isEqualTo("0b0c");
    assertThat(read.created()).isEqualTo(0x11);
    assertThat(read.lastUsed()).isEqualTo(0x12);
  }

  @Test
  void aValueOfANewerVersionIsRefused() {
    assertThatThrownBy(() -> EntryValue.read(new byte[] {8}))
        .isInstanceOf(PersistenceException.class)
        .hasMessageStartingWith("unknown parts of an entry: parts=8; ");
  }

  @Test
  void aLayoutIsAVersionAndTheNumberOfSegments() {
    try (Store store = Store.inMemory()) {
      Space space = store.space(Layout.SPACE);
      assertThat(Layout.read(space)).isNull();
      new Layout(256).write(space);
      assertThat(hex(space.get(new byte[0]))).isEqualTo("0100000100");
      assertThat(Layout.read(space)).isEqualTo(new Layout(256));
      space.put(new byte[0], new byte[] {2, 0, 0, 1, 0});
      assertThatThrownBy(() -> Layout.read(space))
          .isInstanceOf(PersistenceException.class)
          .hasMessageStartingWith("unknown layout of a cache: version=2, known=1; ");
    }
  }
}
