-- desde: 2.0.0
-- Grows with each change of a conversa. Events carry it, so a panel ignores the ones that arrive late.
alter table conversas add column revisao integer not null default 0;

create function contar_revisao() returns trigger language plpgsql as $$
begin
  new.revisao := old.revisao + 1;
  return new;
end $$;

create trigger conversas_revisao before update on conversas for each row execute function contar_revisao();
