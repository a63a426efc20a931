package io.varve.grid.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.varve.grid.guard.connection.Refusal;
import io.varve.grid.guard.http.OfferedRequests.Content;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests whose address Infinispan reads in another way than it looks.
class OfferedRequestsTest {
  private final OfferedRequests offered = new OfferedRequests();

  private @Nullable HttpResponseStatus refused(HttpMethod method, String uri) {
    Refusal refusal = offered.refusal(method, "/rest/v2/" + uri);
    return refusal == null ? null : refusal.status();
  }

  private static Content content(HttpMethod method, String uri) {
    return OfferedRequests.content(method, "/rest/v2/" + uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "caches/a%2Fb",
        "caches/a%2fb?template=varve",
        "caches/x%2F..%2F..%2Fy",
        "caches/a%5Cb",
        "caches/a%00",
        "caches//%2e%2e",
        "caches/a%2Fb/rolling-upgrade/source-connection",
        "caches/a/rolling%2Dupgrade/source-connection"
      })
  void aNameIsWhatInfinispanDecodes(String uri) {
    assertThat(refused(HttpMethod.POST, uri)).isEqualTo(HttpResponseStatus.FORBIDDEN);
  }

  /// Infinispan puts properties in when it reads again what it has written of a cache or counter.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "caches/%24%7Benv.HOME%7D?template=varve",
        "caches/${env.HOME}",
        "caches/a?action=set-mutable-attribute&attribute-name=aliases&attribute-value=%24{env.HOME}",
        "caches/a?action=assign-alias&alias=$%7Benv.HOME}",
        "caches/a?action=x&action=assign-alias&alias=b&alias=${env.HOME}",
        "counters/%24%7Benv.HOME%7D",
        "counters//${env.HOME}"
      })
  void nothingThatIsWrittenNamesAProperty(String uri) {
    for (HttpMethod method : new HttpMethod[] {HttpMethod.PUT, HttpMethod.POST}) {
      assertThat(refused(method, uri)).isEqualTo(HttpResponseStatus.FORBIDDEN);
    }
    assertThat(refused(HttpMethod.PUT, "caches/a/${env.HOME}")).isNull();
    assertThat(refused(HttpMethod.GET, "caches/a?action=search&query=${env.HOME}")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "caches/org.infinispan.CONFIG",
        "caches/org%2Einfinispan.CONFIG",
        "caches/org.infinispan.LOCKS?template=varve",
        "caches/org.infinispan.CONFIG?action=clear",
        "caches/org.infinispan.ROLES/alice",
        "caches/___protobuf_metadata",
        "caches/_%5F_script_cache"
      })
  void aCacheOfInfinispanIsNotChanged(String uri) {
    for (HttpMethod method : new HttpMethod[] {HttpMethod.DELETE, HttpMethod.POST}) {
      assertThat(refused(method, uri)).isEqualTo(HttpResponseStatus.FORBIDDEN);
    }
    assertThat(refused(HttpMethod.PUT, "caches/___protobuf_metadata/a.proto")).isNull();
    assertThat(refused(HttpMethod.GET, "caches/___protobuf_metadata/a.proto")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cache-managers/x?/backups/b?",
        "cache-managers/x#/backups/b",
        "caches/a?action=search/backups/b",
        "caches/a?b?c",
        "caches/%zz",
        "caches/a/%ff", // which would be the same key as %fe
        "caches/a/%EF%BF%BD"
      })
  void anAddressThatInfinispanWouldEndElsewhereIsNotTaken(String uri) {
    for (HttpMethod method : new HttpMethod[] {HttpMethod.GET, HttpMethod.POST}) {
      assertThat(refused(method, uri)).isEqualTo(HttpResponseStatus.BAD_REQUEST);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "container/backups/b",
        "cluster/restores/b",
        "cache-managers/default/backups/b",
        "cache-managers/x-site/backups/b",
        "cache-managers/backups/restores/b"
      })
  void filesOfTheMachineAreNotNamed(String uri) {
    assertThat(refused(HttpMethod.POST, uri)).isEqualTo(HttpResponseStatus.FORBIDDEN);
  }

  /// Other sites that a cache is sent to are called backups, too.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "container/x-site/backups/NYC?action=take-offline",
        "cache-managers/default/x-site/backups/NYC?action=bring-online",
        "caches/default/x-site/backups/NYC?action=start-push-state"
      })
  void otherSitesAreOffered(String uri) {
    assertThat(refused(HttpMethod.POST, uri)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "rest/v2/caches", "http://node/rest/v2/caches", "node:11222"})
  void anAddressBeginsWithASlash(String uri) {
    Refusal refusal = offered.refusal(HttpMethod.GET, uri);
    assertThat(refusal).extracting(Refusal::status).isEqualTo(HttpResponseStatus.BAD_REQUEST);
  }

  @Test
  void aKeyOrASchemaMayHaveASlash() {
    assertThat(refused(HttpMethod.PUT, "caches/default/a%2Fb")).isNull();
    assertThat(refused(HttpMethod.GET, "caches/default/a%2Fb?extended=a%2Fb%3F")).isNull();
    assertThat(refused(HttpMethod.POST, "schemas/a%2Fb.proto")).isNull();
    assertThat(content(HttpMethod.PUT, "caches/default/a%2Fb")).isEqualTo(Content.OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"caches/a%2Fb", "caches/a", "caches//a/", "%63aches/a"})
  void aDefinitionIsSeenWhereInfinispanTakesOne(String uri) {
    assertThat(content(HttpMethod.POST, uri)).isEqualTo(Content.CACHE);
  }

  @Test
  void aTemplateIsInPlaceOfADefinitionOnlyWhereACacheIsMade() {
    assertThat(content(HttpMethod.POST, "caches/a?template=varve")).isEqualTo(Content.OTHER);
    assertThat(content(HttpMethod.PUT, "caches/a?template=varve")).isEqualTo(Content.CACHE);
    assertThat(content(HttpMethod.POST, "caches?action=convert&template=x"))
        .isEqualTo(Content.CACHE);
    assertThat(content(HttpMethod.POST, "caches/a?action=search")).isEqualTo(Content.OTHER);
    assertThat(content(HttpMethod.POST, "counters/a")).isEqualTo(Content.COUNTER);
    assertThat(refused(HttpMethod.POST, "caches?action=compare"))
        .isEqualTo(HttpResponseStatus.FORBIDDEN);
  }
}
