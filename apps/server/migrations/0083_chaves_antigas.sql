-- Only the version in force keeps its sealed API key. Older ones may hold keys that their owner revoked.
select set_config('app.contas', '*', true);
update configuracoes c set dados = jsonb_set(c.dados, '{gemini,apiKey}', '""')
 where c.dados #>> '{gemini,apiKey}' <> ''
   and c.versao < (select max(v.versao) from configuracoes v where v.conta_id = c.conta_id);
