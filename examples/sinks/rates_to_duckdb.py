"""Rates of files of JSON lines into a table of DuckDB, with every digit: rates_to_duckdb.py 'FILES.ndjson.gz' DATABASE

A row that the table has is left out. DuckDB's JSON functions round numbers to doubles, so rates are taken from the text.
Needs the package duckdb.
"""

import sys

import duckdb

files, database = sys.argv[1:3]
with duckdb.connect(database) as connection:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS rates (venue VARCHAR, symbol VARCHAR, asset VARCHAR, funding_rate_8h DECIMAL(38, 36),"
        " observed_at TIMESTAMP, PRIMARY KEY (venue, symbol, observed_at))"
    )
    connection.execute(
        r"""INSERT OR IGNORE INTO rates
            SELECT rate->>'venue', rate->>'symbol', rate->>'asset',
                   nullif(regexp_extract(rate, '"funding_rate_8h":(-?[0-9.]+)', 1), '')::DECIMAL(38, 36),
                   make_timestamp((rate->>'observed_at_ms')::BIGINT * 1000)
            FROM read_csv(?, columns = {'rate': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', header = false)""",
        [files],
    )
    print(connection.execute("SELECT count(*) FROM rates").fetchone()[0], "rates")
