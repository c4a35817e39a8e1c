#!/bin/bash
# Leaves a reward whenever the tests could be run, by the last thing it does; if they themselves break it leaves none.
cd /tests && exec python reward.py
