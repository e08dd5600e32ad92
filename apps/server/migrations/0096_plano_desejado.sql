-- The plan a visitor asks for at sign-up. It changes no limit; an administrator may apply it.
alter table contas add column plano_desejado text check (plano_desejado in ('gratuito', 'doacao'));
