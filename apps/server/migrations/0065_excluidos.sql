-- Somebody who left together with the account: comes back with it, and until it is erased the address stays theirs.
-- Accounts that were deleted before this was written had freed theirs: they are erased in time like the others, but only
-- those whose address nobody took since can be restored.
alter table usuarios add column volta_com_conta boolean not null default false;

update usuarios u set volta_com_conta = true from contas c
 where c.id = u.conta_id and c.excluida_em is not null and u.excluido_em = c.excluida_em
   and not exists (select 1 from usuarios outro where outro.email = u.email and outro.id <> u.id
                     and (outro.excluido_em is null or outro.id > u.id));

drop index usuarios_email;
create unique index usuarios_email on usuarios (email) where excluido_em is null or volta_com_conta;
create index contas_excluidas on contas (excluida_em) where excluida_em is not null;
