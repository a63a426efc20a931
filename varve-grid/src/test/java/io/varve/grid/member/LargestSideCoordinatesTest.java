package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.cluster.ClusterOptions;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.MembershipChangePolicy;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/// A node that began alone does not coordinate those that it meets.
class LargestSideCoordinatesTest {
  private static final Address LOWEST = new UUID(0, 1);
  private static final Address SECOND = new UUID(0, 2);
  private static final Address THIRD = new UUID(0, 3);
  private static final Address FOURTH = new UUID(0, 4);

  private final MembershipChangePolicy policy = new LargestSideCoordinates();

  @Test
  void aNodeThatBeganAloneComesLast() {
    List<Address> others = List.of(THIRD, SECOND, FOURTH);
    assertThat(policy.getNewMembership(List.of(List.of(LOWEST), others)))
        .containsExactly(THIRD, SECOND, FOURTH, LOWEST);
    assertThat(policy.getNewMembership(List.of(others, List.of(LOWEST))))
        .containsExactly(THIRD, SECOND, FOURTH, LOWEST);
  }

  @Test
  void ofSidesOfOneSizeTheLowestAddressCoordinates() {
    assertThat(policy.getNewMembership(List.of(List.of(THIRD, LOWEST), List.of(SECOND, FOURTH))))
        .containsExactly(SECOND, FOURTH, THIRD, LOWEST);
  }

  @Test
  void whoIsInTwoViewsIsAMemberOnce() {
    assertThat(policy.getNewMembership(List.of(List.of(SECOND), List.of(THIRD, SECOND), List.of())))
        .containsExactly(THIRD, SECOND);
  }

  /// JGroups makes it by its name, and takes its own where it is given none.
  @Test
  void eachStackOfOursNamesIt() throws Exception {
    GMS membership = new GMS().setMembershipChangePolicy(LargestSideCoordinates.class.getName());
    assertThat(membership.getMembershipChangePolicy()).isInstanceOf(LargestSideCoordinates.class);
    try (InputStream file = ClusterOptions.class.getResourceAsStream("caches-cluster.xml")) {
      String stacks = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(
              stacks.split(
                  "membership_change_policy=\"" + LargestSideCoordinates.class.getName(), -1))
          .hasSize(stacks.split("<stack name=", -1).length);
    }
  }
}
