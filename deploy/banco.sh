#!/bin/sh
# Roles and database of compose.nodes.yaml, as in docs/operations.md. The image of PostgreSQL runs it once, when its
# volume is empty.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set senha="$BALCAO_SENHA" <<'SQL'
CREATE ROLE balcao LOGIN PASSWORD :'senha' NOSUPERUSER NOCREATEROLE;
CREATE ROLE balcao_app NOLOGIN NOBYPASSRLS;
GRANT balcao_app TO balcao;
CREATE DATABASE balcao OWNER balcao;
SQL
