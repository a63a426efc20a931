package example

import io.varve.Codec
import io.varve.Store
import io.varve.Table
import java.nio.file.Files

@JvmRecord
data class Person(val name: String, val city: String, val age: Int)

val PEOPLE: Table<String, Person> =
    Table.of("people", Codec.string(), Codec.record(Person::class.java))
val MOVES: Table<String, Long> = Table.of("moves", Codec.string(), Codec.int64())

/** Puts entries, which are on stable storage when `put` returns, and moves a person in a transaction. */
fun main() {
    val directory = Files.createTempDirectory("first-put")
    Store.open(directory).use { store ->
        val people = store.open(PEOPLE)
        people["ada"] = Person("Ada", "London", 36)
        people["bob"] = Person("Bob", "Bonn", 41)
        // Kotlin does not infer what the body throws: nothing that has to be declared.
        store.transact<RuntimeException> { tx ->
            val ada = tx.open(PEOPLE).getValue("ada")
            tx.open(PEOPLE)["ada"] = ada.copy(city = "Bonn")
            tx.open(MOVES).merge("Bonn", 1L, Long::plus)
        }
    }
    Store.open(directory).use { store ->
        store.open(PEOPLE).forEach { (key, person) -> println("$key: $person") }
        println("moves to Bonn: ${store.open(MOVES)["Bonn"]}")
    }
}
