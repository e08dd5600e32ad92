-- A message that is one of Meta's approved ones: its name and what fills its gaps. `texto` is what the customer reads.
alter table mensagens add column modelo jsonb;
