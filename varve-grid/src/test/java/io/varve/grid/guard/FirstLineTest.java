package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Protocols are distinguished by how a connection begins, however its bytes are cut.
class FirstLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HOT_ROD | \u00a0\u0001",
        "RESP | *1~$4~PING~",
        "RESP | *2~$3~GET~$1~k~",
        "RESP | PING~",
        "RESP | ping~",
        "RESP | GET k~",
        "RESP | SET k v~",
        "MEMCACHED_BINARY | \u0080\u0001",
        "MEMCACHED_TEXT | get k~",
        "MEMCACHED_TEXT | set k 0 0 1~",
        "MEMCACHED_TEXT | version~",
        "MEMCACHED_TEXT | flush_all~",
        "MEMCACHED_TEXT | quit~",
        "RESP | QUIT~",
        "HTTP | GET / HTTP/1.1~",
        "HTTP | POST /set HTTP/1.1~",
        "HTTP | set / HTTP/1.1~",
        "HTTP | PRI * HTTP/2.0~",
        "HTTP | nonsense~",
        "HTTP | NONSUCH k~",
        "HTTP | 7~",
      })
  void aConnectionIsWhatItBeginsAs(FirstLine.Protocol protocol, String text) {
    String begin = text.replace("~", "\r\n");
    for (int length = 0; length < begin.length(); length++) {
      ByteBuf part = Unpooled.copiedBuffer(begin.substring(0, length), ISO_8859_1);
      assertThat(FirstLine.protocol(part)).isIn(null, protocol);
    }
    ByteBuf whole = Unpooled.copiedBuffer(begin, ISO_8859_1);
    assertThat(FirstLine.protocol(whole)).isEqualTo(protocol);
    assertThat(whole.readerIndex()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"600", "100000"})
  void aLongFirstLineIsOfHttp(int length) {
    ByteBuf line = Unpooled.copiedBuffer("A".repeat(length), ISO_8859_1);
    assertThat(FirstLine.protocol(line)).isEqualTo(FirstLine.Protocol.HTTP);
  }
}
