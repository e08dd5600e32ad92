export {
  addressKey,
  canonicalAddress,
  ensureContatos,
  findPhone,
  type NewContato,
  parsePhone,
  phoneDigits,
  serviceAddressKey,
} from './contatos.ts'
export { findReplyAddress, joinAddresses, moveAddresses, type SeenTogether } from './addresses/identity.ts'
export { setUserName } from './addresses/user-names.ts'
export type { MergedContato } from './addresses/merge-contatos.ts'
export { isLeftAddress, parseAnnouncements, type Announcements } from './addresses/announcements.ts'
export {
  finishQuietAgents,
  lockContatosOf,
  lockConversa,
  lockConversas,
  type LockedConversa,
  moveOpenConversas,
  takeProtocolos,
  openRehearsal,
  returnConversas,
  updateFinished,
  updateTaken,
  updateTransferred,
} from './conversas.ts'
export {
  type ConversasQuery,
  findAttendedConversa,
  readAttendedConversas,
  findJanela,
  findOpenAttended,
  findServed,
  readConversas,
  selectConversas,
  type ServedConversa,
} from './conversa-view.ts'
export {
  findQuoted,
  marksView,
  MENSAGEM_COLUMNS,
  mensagemFromRow,
  type MensagemMarks,
  mensagemMarksSchema,
  type MensagemRow,
  nameOrPhone,
  QUOTE_MAX,
  quotedOf,
  quoteText,
  toMensagem,
} from './mensagem-view.ts'
export {
  didPersonWrite,
  findMensagem,
  findResendable,
  insertOperadorMensagens,
  insertTestConversa,
  type OperadorMensagem,
  requeueMensagem,
} from './mensagens.ts'
export {
  advanceStates,
  applyChange,
  dropReaction,
  failOutboxItem,
  failWaiting,
  type FailedItem,
  markUndelivered,
  type QueuedReaction,
  queueReaction,
  revertReaction,
  sendExpiry,
  setReaction,
  setServiceIds,
} from './mensagem-marks.ts'
export {
  deferOutboxItem,
  deleteSent,
  listBehind,
  listOutboxIds,
  listOutboxRows,
  listOverdueContas,
  type OutboxRow,
} from './outbox.ts'
export {
  type AwaitedQuestion,
  deleteQuestions,
  deleteQuestionsUntil,
  findAwaitedQuestions,
  listOverdueQuestions,
  insertQuestions,
  type NewQuestion,
  listQuestions,
  type PendingQuestion,
} from './questions.ts'
export {
  type DayUse,
  type LimiteDeps,
  mailMissedQuotaMarks,
  mailQuotaMarks,
  recordLimitReached,
  recordQuota,
  remainingToday,
  reserveOneMensagem,
  reserveQuota,
  resetDayUse,
} from './daily-limit.ts'
export {
  type ClearedConversa,
  countFinishedConversas,
  deleteContato,
  deleteContatoMensagens,
  deleteFinishedConversas,
  deleteOldContatos,
  deleteOldConversas,
  deleteOldMensagens,
  deleteOldSeenMarks,
  type SeenDeps,
  seenMarks,
} from './erase.ts'
export {
  audienceOf,
  audienceOfConversa,
  audienceOfEnded,
  bindTo,
  type BindValue,
  type ChangedConversa,
  situationSql,
  type EndedConversa,
  readableSetorSql,
  readableSql,
} from './readers.ts'
