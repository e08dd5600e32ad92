-- desde: 2.0.0
-- The budget of the month is used up, and the owner is not notified yet. From this instant a periodic task does it, in
-- case the process died before.
alter table gastos_ia add column avisar_em timestamptz;
