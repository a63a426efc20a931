package io.varve.compress;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.varve.spi.PageCodec;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Tag;

/// Decompresses any bytes: each codec fills its part of the target or refuses, and never touches
/// more.
@Tag("fuzz")
class PageCodecFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void decompress(byte[] input) {
    int length = input.length == 0 ? 1 : 1 + (input[0] & 0xff) * 32;
    for (PageCodec codec : PageCodecTest.CODECS) {
      byte[] target = new byte[length + 2];
      target[0] = 17;
      target[length + 1] = 17;
      try {
        codec.decompress(input, 0, input.length, target, 1, length);
      } catch (DataFormatException _) {
        // as it should be
      }
      if (target[0] != 17 || target[length + 1] != 17) {
        throw new AssertionError("wrote past its part: codec=" + codec.name());
      }
    }
  }
}
