package example.library;

import jakarta.servlet.http.HttpSession;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The catalogue by HTTP.
@RestController
class LibraryController {
  record Visits(int count) {}

  private final Catalogue catalogue;

  LibraryController(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  @GetMapping("/books/{isbn}")
  Book book(@PathVariable String isbn) {
    return catalogue.book(isbn);
  }

  @GetMapping("/authors/{name}")
  ResponseEntity<Author> author(@PathVariable String name) {
    return ResponseEntity.of(catalogue.author(name));
  }

  /// How often this visitor was here: sessions outlive the application, too.
  @GetMapping("/visits")
  Visits visits(HttpSession session) {
    Visits before = (Visits) session.getAttribute("visits");
    Visits now = new Visits(before == null ? 1 : before.count() + 1);
    session.setAttribute("visits", now);
    return now;
  }

  @GetMapping("/lookups")
  long lookups() {
    return catalogue.lookups();
  }
}
