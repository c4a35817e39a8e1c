"""The main job: resolve a request, expand it to trials, attempt, grade, journal. Only infrastructure failures run again."""
