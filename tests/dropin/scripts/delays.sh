#!/bin/bash
# TL, WCL and PDV as scripts around siitperf read them: PREFIX RATE
./build/"$1"-lat 84 "$2" 2 500 2 2 1 500 > temp.out 2>&1
echo "TL: $(grep -i 'forward TL' temp.out | awk '{print $3}'), $(grep -i 'reverse TL' temp.out | awk '{print $3}')"
echo "WCL: $(grep -i 'forward WCL' temp.out | awk '{print $3}'), $(grep -i 'reverse WCL' temp.out | awk '{print $3}')"
./build/"$1"-pdv 84 "$2" 1 500 2 2 0 > temp.out 2>&1
echo "PDV: $(grep -i 'forward PDV' temp.out | awk '{print $3}'), $(grep -i 'reverse PDV' temp.out | awk '{print $3}')"
