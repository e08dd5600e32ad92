-- desde: 2.0.0
-- Protocol version of the connector `whatsapp`. Null: the library's own.
alter table configuracoes_admin
  add column whatsapp_versao text,
  -- The line that tests a new version, and until when. After a crash the test ends at this time.
  add column whatsapp_teste_linha uuid,
  add column whatsapp_teste_versao text,
  add column whatsapp_teste_ate timestamptz,
  -- The last version that failed: `{versao, motivo, em}`
  add column whatsapp_recusada jsonb;
