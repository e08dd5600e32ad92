-- The move of a conta to another installation. While `mudanca` is set the conta has no login, bot, webhook or mail.
-- No line `desde`: an older program would start the bot of a conta that moved.
alter table contas
  -- id of the move, which the file and the receipt of the target name
  add column mudanca uuid,
  add column mudando_desde timestamptz,
  -- set when the receipt of the target was confirmed
  add column mudou_em timestamptz,
  add column mudou_para text;
