package example.library;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;

/// A web application whose answers outlive it: what a method of [Catalogue] has returned is not
/// computed again, also after a kill.
@SpringBootApplication
@EnableCaching
public class LibraryApplication {
  /// Starts the application.
  public static void main(String[] arguments) {
    SpringApplication.run(LibraryApplication.class, arguments);
  }
}
