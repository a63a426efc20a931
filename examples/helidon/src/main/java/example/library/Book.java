package example.library;

/// A record of the application: nothing about it was prepared for caches.
public record Book(String isbn, String title) {}
