#!/bin/sh
# Dumps the schema of the records into a folder, once a day, and keeps the dumps of two weeks. pg_dump reads PGHOST and the like.
set -eu
cd "$1"
umask 077
while :; do
  # A dump has its name once it is whole.
  pg_dump --format=custom --schema=clinical_records --file=unfinished
  mv unfinished "$(date +%Y-%m-%dT%H%M%S).dump"
  find . -name '*.dump' -mtime +14 -delete
  sleep 86400
done
