package io.varve.grid.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.varve.grid.guard.connection.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// ENTRYHEADERS-1, ENTRYHEADERS-2
class EntryHeadersTest {
  private static @Nullable HttpResponseStatus refused(
      HttpMethod method, String uri, String name, String value) {
    var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/rest/v2/" + uri);
    request.headers().set(name, value);
    Refusal refusal = EntryHeaders.refusal(request);
    return refusal == null ? null : refusal.status();
  }

  /// Infinispan overwrote an entry whatever the condition was, except for the tag that it had.
  @Test
  void aWriteUnderAConditionIsRefused() {
    for (HttpMethod method : List.of(HttpMethod.PUT, HttpMethod.POST, HttpMethod.DELETE)) {
      for (String name : List.of("If-Match", "if-none-match", "If-Unmodified-Since")) {
        assertThat(refused(method, "caches/default/key", name, "*"))
            .isEqualTo(HttpResponseStatus.NOT_IMPLEMENTED);
        assertThat(refused(method, "varve/items/people/Ada", name, "*")).isNull();
      }
    }
    assertThat(refused(HttpMethod.GET, "caches/default/key", "If-None-Match", "1")).isNull();
  }

  /// What is none was passed over, and more milliseconds than 64 bits have removed the entry. Of
  /// the year 33715 it could not be read.
  @ParameterizedTest
  @ValueSource(
      strings = {"soon", "", "1.5", "99999999999999999999", "1000000000000", "9223372036854775807"})
  void aTimeIsAWholeNumber(String seconds) {
    for (String name : List.of("timeToLiveSeconds", "maxidletimeseconds")) {
      assertThat(refused(HttpMethod.PUT, "caches/default/key", name, seconds))
          .isEqualTo(HttpResponseStatus.BAD_REQUEST);
    }
  }

  @ParameterizedTest
  @CsvSource({"-1", "0", "60", "100000000000"})
  void aTimeIsTaken(String seconds) {
    assertThat(refused(HttpMethod.PUT, "caches/default/key", "timeToLiveSeconds", seconds))
        .isNull();
  }
}
