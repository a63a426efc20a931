package io.varve.cache.hibernate;

import java.nio.file.Path;
import org.hibernate.SessionFactory;
import org.hibernate.action.spi.AfterTransactionCompletionProcess;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionImplementor;

/// A program with Hibernate, a database in files, and a second-level cache that survives it. As a
/// process of its own it changes books and is dead from one instruction to the next.
final class Library {
  static final String VERSION = "1.0";

  private Library() {}

  /// @param directory of the database and the caches
  /// @param version of the application
  static SessionFactory open(Path directory, String version) {
    Path cache = directory.resolve("cache-" + version); // rows of another mapping are elsewhere
    Configuration settings =
        new Configuration()
            .setProperty("hibernate.cache.region.factory_class", "jcache")
            .setProperty("hibernate.javax.cache.uri", cache.toUri().toString())
            .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
            .setProperty("hibernate.cache.use_query_cache", "true");
    return settings
        .addAnnotatedClass(Book.class)
        .addAnnotatedClass(Author.class)
        .setProperty(
            "hibernate.connection.url",
            "jdbc:h2:file:" + directory.resolve("database") + ";WRITE_DELAY=0") // forced by commits
        .setProperty("hibernate.connection.username", "sa")
        .setProperty("hibernate.connection.password", "")
        .setProperty("hibernate.hbm2ddl.auto", "update")
        .setProperty("hibernate.generate_statistics", "true")
        .buildSessionFactory();
  }

  /// Reads a book in each way that has a region.
  ///
  /// @return the titles that were read
  static String read(SessionFactory factory) {
    return factory.fromTransaction(session -> {
      Book book = session.find(Book.class, 1L);
      Book byName = session.bySimpleNaturalId(Book.class).load("isbn 1");
      Book found =
          session
              .createQuery("from Book where author.name = 'Ann'", Book.class)
              .setCacheable(true)
              .getSingleResult();
      return book.title + book.words + book.author.name + byName.title + found.title;
    });
  }

  /// @param arguments the directory, and whether the end comes between the commit of a change to
  ///   the database and its arrival in the cache
  public static void main(String[] arguments) {
    SessionFactory factory = open(Path.of(arguments[0]), VERSION);
    if (Boolean.parseBoolean(arguments[1])) {
      factory.inTransaction(session -> {
        AfterTransactionCompletionProcess end = (_, _) -> Runtime.getRuntime().halt(0);
        session.unwrap(SessionImplementor.class).getActionQueue().registerProcess(end);
        session.find(Book.class, 1L).title = "Varves";
      });
    }
    factory.inTransaction(session -> {
      Author author = new Author(1, "Ann");
      session.persist(author);
      session.persist(new Book(1, "Layers", author));
    });
    read(factory);
    Runtime.getRuntime().halt(0);
  }
}
