-- What the owner typed on the phone exists once too, whatever the service repeats.
create unique index mensagens_telefone on mensagens (conta_id, canal, id_externo) where origem = 'telefone';
