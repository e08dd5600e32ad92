-- Number of the installation's support, for accounts on the plan Doação. Empty: no support.
alter table configuracoes_admin add column suporte_whatsapp text not null default '';
