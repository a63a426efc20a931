package example.library;

import java.util.List;

/// A record of the application: nothing about it was prepared for caches.
record Book(String isbn, String title, List<Author> authors) {}
