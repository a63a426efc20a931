package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/// Sessions as Spring Session saves and finds them.
class SessionRepositoryTest {
  record Basket(int books) {}

  @TempDir Path directory;

  private ConfigurableApplicationContext start(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = "--varve.session.directory=" + directory.resolve("sessions");
    return startServer(all);
  }

  private ConfigurableApplicationContext startServer(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 3);
    all[arguments.length] = "--spring.main.web-application-type=servlet";
    all[arguments.length + 1] = "--server.port=0";
    all[arguments.length + 2] = "--server.tomcat.basedir=" + directory.resolve("tomcat");
    return ShopMain.start(all);
  }

  @Test
  void requestsKeepTheChangesOfEachOther() {
    try (var context = start()) {
      var sessions = context.getBean(VarveSessionRepository.class);
      VarveSession made = sessions.createSession();
      made.setAttribute("basket", new Basket(1));
      made.setAttribute("name", "Ursula");
      sessions.save(made);

      VarveSession first = sessions.findById(made.getId());
      VarveSession second = sessions.findById(made.getId());
      first.setAttribute("basket", new Basket(2));
      second.removeAttribute("name");
      second.setMaxInactiveInterval(Duration.ofHours(8));
      sessions.save(second);
      sessions.save(first);

      VarveSession found = sessions.findById(made.getId());
      assertThat(found.<Basket>getAttribute("basket")).isEqualTo(new Basket(2));
      assertThat(found.getAttributeNames()).containsExactly("basket");
      assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(8));
    }
  }

  @Test
  void deletedSessionStaysDeleted() {
    try (var context = start()) {
      var sessions = context.getBean(VarveSessionRepository.class);
      VarveSession made = sessions.createSession();
      sessions.save(made);
      VarveSession late = sessions.findById(made.getId());
      sessions.deleteById(made.getId());
      late.setAttribute("basket", new Basket(1));
      sessions.save(late);
      assertThat(sessions.findById(made.getId())).isNull();
      assertThat(sessions.size()).isZero();
    }
  }

  @Test
  void idIsChangedWithAllThatTheSessionHas() {
    try (var context = start()) {
      var sessions = context.getBean(VarveSessionRepository.class);
      VarveSession session = sessions.createSession();
      session.setAttribute("basket", new Basket(1));
      sessions.save(session);
      String before = session.getId();
      session.changeSessionId();
      session.setAttribute("user", "Ursula");
      sessions.save(session);
      assertThat(sessions.findById(before)).isNull();
      assertThat(sessions.findById(session.getId()).getAttributeNames())
          .containsExactlyInAnyOrder("basket", "user");
      assertThat(sessions.size()).isEqualTo(1);

      session.setAttribute("again", true); // as a filter does that saves twice for one request
      sessions.save(session);
      assertThat(sessions.findById(session.getId()).getAttributeNames()).contains("again");
    }
  }

  @Test
  void sessionIsFoundUntilItWasInactiveForItsInterval() {
    try (var context = start("--spring.session.timeout=90")) {
      var sessions = context.getBean(VarveSessionRepository.class);
      VarveSession made = sessions.createSession();
      assertThat(made.getMaxInactiveInterval()).isEqualTo(Duration.ofSeconds(90));
      made.setLastAccessedTime(Instant.now().minusSeconds(60));
      sessions.save(made);
      assertThat(sessions.findById(made.getId())).isNotNull();

      VarveSession idle = sessions.findById(made.getId());
      idle.setMaxInactiveInterval(Duration.ofSeconds(59));
      sessions.save(idle);
      assertThat(sessions.findById(made.getId())).isNull();
      idle.setMaxInactiveInterval(Duration.ofHours(1));
      sessions.save(idle);
      assertThat(sessions.findById(made.getId())).as("an ended session does not return").isNull();

      VarveSession endless = sessions.createSession();
      endless.setMaxInactiveInterval(Duration.ofSeconds(-1));
      endless.setLastAccessedTime(Instant.EPOCH);
      sessions.save(endless);
      assertThat(sessions.findById(endless.getId())).isNotNull();
    }
  }

  @Test
  void sessionsAreThereAgainAndHaveTheTimeoutOfTheServer() {
    VarveSession made;
    try (var context = start("--server.servlet.session.timeout=2h")) {
      var sessions = context.getBean(VarveSessionRepository.class);
      made = sessions.createSession();
      made.setAttribute("basket", new Basket(3));
      sessions.save(made);
    }
    try (var context = start()) {
      VarveSession found = context.getBean(VarveSessionRepository.class).findById(made.getId());
      assertThat(found.<Basket>getAttribute("basket")).isEqualTo(new Basket(3));
      assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(2));
      assertThat(found.getCreationTime()).isEqualTo(made.getCreationTime());
    }
  }

  /// One whose attribute is of a class that has changed, on every request otherwise.
  @Test
  void sessionThatCannotBeReadIsDeleted() {
    try (var context = start()) {
      var sessions = context.getBean(VarveSessionRepository.class);
      VarveSession made = sessions.createSession();
      made.setAttribute("changed", new ChangedClass());
      sessions.save(made);
      assertThat(sessions.findById(made.getId())).isNotNull();
      ChangedClass.whileChanged(() -> {
        assertThat(sessions.findById(made.getId())).isNull();
        assertThat(sessions.size()).isZero();
      });
      assertThat(sessions.findById(made.getId())).isNull();
    }
  }

  @Test
  void withoutADirectoryThereAreNoSessionsInVarve() {
    try (var context = startServer()) {
      assertThat(context.getBeansOfType(VarveSessionRepository.class)).isEmpty();
    }
  }
}
