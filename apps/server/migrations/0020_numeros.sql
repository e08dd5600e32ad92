-- The administrator's four numbers, once an hour: what makes a trend a comparison and not a decoration.
create table numeros_horarios (
  -- the full hour
  em timestamptz primary key,
  total_usuarios integer not null,
  usuarios_ativos integer not null,
  bots_ativos integer not null,
  -- since local midnight
  mensagens_hoje integer not null
);
