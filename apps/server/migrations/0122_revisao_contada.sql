-- desde: 2.0.0
-- The statements of the hot path count `revisao` themselves. The trigger counts it for all others.
drop trigger conversas_revisao on conversas;
create trigger conversas_revisao before update on conversas for each row
  when (new.revisao = old.revisao) execute function contar_revisao();
