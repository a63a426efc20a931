rootProject.name = "first-put"
