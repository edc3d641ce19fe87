#!/bin/bash
# A search for the throughput as scripts around siitperf do it: PROGRAM CAPITALS DURATION MAX ERROR [further arguments]
program=$1 forward=$2 xpts=$3 h=$4 e=$5
reverse=$([ "$forward" = Forward ] && echo Reverse || echo reverse)
l=0
while [ $((h - l)) -gt "$e" ]; do
    r=$(((h + l) / 2))
    "./build/$program" 84 $r "$xpts" 500 2 2 "${@:6}" > temp.out 2>&1
    cat temp.out >> ratetest.log
    error=$(grep 'Error:' temp.out)
    if [ -n "$error" ]; then
        echo "Error occurred, testing must stop: $error"
        exit 1
    fi
    invalid=$(grep 'invalid' temp.out)
    fwd_rec=$(grep "$forward frames received:" temp.out | awk '{print $4}')
    rev_rec=$(grep "$reverse frames received:" temp.out | awk '{print $4}')
    if [ "$fwd_rec" -eq $((xpts * r)) ] && [ "$rev_rec" -eq $((xpts * r)) ] && [ -z "$invalid" ]; then
        l=$r
    else
        h=$r
    fi
done
echo "throughput: $l"
