export {
  findQuoted,
  marksView,
  mensagemColumns,
  mensagemFromRow,
  type MensagemMarks,
  mensagemMarksSchema,
  mensagemRowSchema,
  QUOTE_MAX,
  sentMarksOf,
  quoteText,
  toMensagem,
} from './mensagem-view.ts'
export {
  findMensagem,
  findResendable,
  insertOperadorMensagens,
  insertTestConversa,
  type OperadorMensagem,
  requeueMensagem,
  storeMarks,
  withdrawBotMensagens,
} from './mensagens.ts'
export {
  advanceStates,
  applyChange,
  dropReaction,
  type FailedItem,
  failOutboxItem,
  failWaiting,
  listExpiredContas,
  markUndelivered,
  queueChange,
  revertChange,
  setEdit,
  setReaction,
  setServiceIds,
} from './mensagem-marks.ts'
export { changedIdOf, type QueuedChange, sendExpiry } from './queued-changes.ts'
export {
  beginSends,
  deferOutboxItem,
  deleteSent,
  listBehind,
  listOutboxIds,
  listOutboxRows,
  listStored,
  type OutboxRow,
} from './outbox.ts'
