#!/bin/bash
# Leaves a reward in /logs/verifier whenever the tests could be run, as the last thing it does; if they themselves break, none.
cd /tests && exec python reward.py
