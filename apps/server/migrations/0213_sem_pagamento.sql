-- desde: 2.0.0
-- Since when Meta refuses messages of the line because no payment works. Null: it does not.
alter table linhas_oficial add column sem_pagamento_desde timestamptz;
-- Reason that a connected line shows. Separate from `motivo`, whose values the version before knows.
alter table linhas_bots add column alerta text;
