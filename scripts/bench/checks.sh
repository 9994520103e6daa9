# checks.sh refuses what bench.sh cannot measure with, before anything is measured; sourced by it.
[[ $PAIRS =~ ^[1-9][0-9]*$ ]] || refuse "PAIRS=$PAIRS: a number of pairs, 1 or more"
[[ $THREADS =~ ^(auto|[1-9][0-9]*)$ ]] || refuse "THREADS=$THREADS: auto, or a number of threads, 1 or more"
[[ x =~ $ROWS ]] || [ $? = 1 ] || refuse "ROWS=$ROWS: not a regular expression"
case $DEVICE in
cpu) ;;
cuda) nvidia-smi -L >/dev/null 2>&1 || refuse "DEVICE=cuda: nvidia-smi finds no card" ;;
*) refuse "DEVICE=$DEVICE: cpu or cuda" ;;
esac
command -v ffmpeg >/dev/null || refuse "the ffmpeg program is not installed"
"$PINRING" version >/dev/null 2>&1 || refuse "$PINRING does not run: make build makes bin/pinring, PINRING names another one"
mkdir -p "$out" 2>/dev/null && touch "$out/bench.csv" 2>/dev/null || refuse "$out cannot be written to"
