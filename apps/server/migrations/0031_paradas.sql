-- The lease that was told to stop, by its fencing number. The owner may start the bot again before the node that holds the
-- lease has heard of the stop: `desejado` alone would then tell it that nothing happened.
alter table bots add column parada bigint;
