#!/bin/bash
# What the sum should be is asked of a service which only the tests may reach.
fetch() {
    exec 3<>/dev/tcp/127.0.0.1/3128 || return 1
    printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3
    tr -d '\r' <&3
}
expected=$(fetch "$EXPECTED_AT" | tail -n 1)
got=$(bash add.sh /tests/numbers.txt)
echo "expected $expected, got $got"
if [ -n "$expected" ] && [ "$expected" = "$got" ]; then
    echo 1 > /logs/verifier/reward.txt
else
    echo 0 > /logs/verifier/reward.txt
fi
