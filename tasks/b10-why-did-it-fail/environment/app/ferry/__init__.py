"""What the ferries took in on a day."""
