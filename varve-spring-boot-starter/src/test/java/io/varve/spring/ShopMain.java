package io.varve.spring;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Runs the application in a process of its own, prints how often its methods ran, and dies.
final class ShopMain {
  static final String CALLS = "calls=";

  private ShopMain() {}

  public static void main(String[] arguments) {
    ConfigurableApplicationContext context = start(arguments);
    Shop.Shelf shelf = context.getBean(Shop.Shelf.class);
    for (int round = 0; round < 2; round++) {
      ask(shelf);
    }
    System.out.println(CALLS + shelf.calls());
    System.out.flush();
    Runtime.getRuntime().halt(3);
  }

  static ConfigurableApplicationContext start(String... arguments) {
    return start(List.of(Shop.class), arguments);
  }

  /// Starts an application of these classes. It serves no client, unless the arguments configure
  /// one.
  static ConfigurableApplicationContext start(List<Class<?>> classes, String... arguments) {
    SpringApplication application = new SpringApplication(classes.toArray(Class[]::new));
    application.setDefaultProperties(
        Map.of("spring.main.banner-mode", "off", "spring.main.web-application-type", "none"));
    return application.run(arguments);
  }

  /// Calls the four methods, which have to answer right wherever the answer is from.
  static void ask(Shop.Shelf shelf) {
    Shop.Author author = new Shop.Author("Ursula", 1929);
    require(new Shop.Price("1", 1250), shelf.price("1"));
    require(new Shop.Book("1", author, List.of(author)), shelf.book("1"));
    require(null, shelf.missing("1", 2));
    require(
        Map.of(
            "all",
            List.of(
                new Shop.Book("1", author, List.of(author)),
                new Shop.Book("2", author, List.of(author)))),
        shelf.page(author));
  }

  private static void require(Object expected, Object answer) {
    if (!Objects.equals(expected, answer)) {
      throw new AssertionError("expected=" + expected + ", answer=" + answer);
    }
  }
}
