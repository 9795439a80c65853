#!/bin/sh
# Rates into a table of PostgreSQL with every digit: postgresql.sh BOOTSTRAP_SERVERS DATABASE [SINCE_MS]
# Run it as often as you like: a record is stored once. Needs kcat and psql. Its key is partition and offset: after the topic was created
# again they begin at 0, so rename the table first, or the new records count as stored.
set -eu
kcat -b "$1" -C -t rates.normalised -o "s@${3:-0}" -e -q -X isolation.level=read_committed -f '%p\t%o\t%s\n' |
  psql -qX -v ON_ERROR_STOP=1 -d "$2" \
    -c 'CREATE TABLE IF NOT EXISTS rates (kafka_partition int, kafka_offset bigint, rate jsonb NOT NULL, PRIMARY KEY (kafka_partition, kafka_offset))' \
    -c "CREATE OR REPLACE VIEW funding AS SELECT rate->>'venue' AS venue, rate->>'symbol' AS symbol, rate->>'asset' AS asset,
          (rate->>'funding_rate_8h')::numeric AS funding_rate_8h, to_timestamp((rate->>'observed_at_ms')::numeric / 1000) AS observed_at FROM rates" \
    -c 'CREATE TEMP TABLE batch (LIKE rates)' \
    -c "\\copy batch FROM STDIN WITH (FORMAT csv, DELIMITER E'\\t', QUOTE E'\\x01')" \
    -c 'INSERT INTO rates SELECT * FROM batch ON CONFLICT DO NOTHING'
