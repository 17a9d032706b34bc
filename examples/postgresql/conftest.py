"""Full text search of a PostgreSQL server, whose address is in DATABASE_URL."""

import os
import re

import pytest

ASK = """
    SELECT id, ts_rank_cd(body, asked) FROM beir_example, to_tsquery('english', %s) asked
    WHERE body @@ asked ORDER BY 2 DESC, id LIMIT %s
"""


@pytest.fixture(scope="session")
def database():
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        yield connection
        connection.execute("DROP TABLE IF EXISTS beir_example")


@pytest.fixture(scope="session")
def retriever(database):
    def build(corpus):
        database.execute("DROP TABLE IF EXISTS beir_example")
        database.execute("CREATE TABLE beir_example (id text, body tsvector)")
        with database.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO beir_example VALUES (%s, to_tsvector('english', %s))",
                [(key, f"{each['title']} {each['text']}") for key, each in corpus.items()],
            )

        def search(query, k):
            words = " | ".join(re.findall(r"\w+", query))
            return database.execute(ASK, (words, k)).fetchall() if words else []

        return search

    return build
