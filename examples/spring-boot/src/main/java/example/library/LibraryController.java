package example.library;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The catalogue by HTTP.
@RestController
class LibraryController {
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

  @GetMapping("/lookups")
  long lookups() {
    return catalogue.lookups();
  }
}
