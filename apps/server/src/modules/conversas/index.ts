export {
  type NewContato,
  addressKey,
  canonicalAddress,
  ensureContatos,
  findPhone,
  parsePhone,
  phoneDigits,
} from './contatos.ts'
export { type ConversasQuery, findAttendedConversa, readConversas, selectConversas } from './conversa-view.ts'
export {
  type LimiteDeps,
  type DayUse,
  QUOTA_CTE,
  QUOTA_SELECT,
  type QuotaRow,
  mailMissedQuotaMarks,
  mailQuotaMarks,
  recordLimitReached,
  recordQuota,
  remainingToday,
  reserveOneMensagem,
  reserveQuota,
} from './daily-limit.ts'
export {
  type QueuedReaction,
  applyChange,
  dropReaction,
  outboxContentSchema,
  queueReaction,
  revertReaction,
  setReaction,
} from './mensagem-marks.ts'
export {
  MENSAGEM_COLUMNS,
  type MensagemMarks,
  type MensagemRow,
  QUOTE_MAX,
  findQuoted,
  marksView,
  mensagemFromRow,
  mensagemMarksSchema,
  nameOrPhone,
  quoteText,
  quotedOf,
  toMensagem,
} from './mensagem-view.ts'
export { mergeContatos } from './merge-contatos.ts'
export {
  type PendingMensagem,
  advanceStates,
  deferOutboxItem,
  deleteSent,
  failOutboxItem,
  listOverdueContas,
  listPending,
  markUndelivered,
  sentModeloSchema,
  setServiceIds,
} from './outbox.ts'
export {
  type AwaitedQuestion,
  type PendingQuestion,
  deleteQuestion,
  findAwaitedQuestion,
  insertQuestion,
  listQuestions,
} from './questions.ts'
export { type ServedConversa, findServed, findJanela } from './conversa-view.ts'
export {
  type LockedConversa,
  lockConversa,
  lockConversas,
  updateTaken,
  updateTransferred,
  updateFinished,
  returnConversas,
  insertTestConversa,
  openRehearsal,
  type MovedConversa,
  moveOpenConversas,
  nextProtocolo,
} from './conversas.ts'
export {
  findMensagem,
  findResendable,
  requeueMensagem,
  type OperadorMensagem,
  insertOperadorMensagens,
} from './mensagens.ts'
export {
  type ClearedConversa,
  deleteFinishedConversas,
  deleteOldMensagens,
  deleteOldConversas,
  deleteOldContatos,
  deleteContato,
  deleteContatoMensagens,
} from './erase.ts'
export { resetDayUse } from './daily-limit.ts'
