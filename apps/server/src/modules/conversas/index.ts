export {
  addressKey,
  canonicalAddress,
  type CreatedContato,
  ensureContatoOfPhone,
  ensureContatos,
  findPhone,
  type FoundContato,
  type NewContato,
  serviceAddressKey,
  storedMessageSql,
} from './contatos.ts'
export {
  findKnownContatos,
  insertSavedContatos,
  type KnownContato,
  type SavedChange,
  updateSavedContatos,
} from './saved/saved-contatos.ts'
export { findReplyAddress, joinAddresses, moveAddresses, type SeenTogether } from './addresses/identity.ts'
export { storeUserNames, type UserNameChange } from './addresses/user-names.ts'
export type { MergedContato } from './addresses/merge-contatos.ts'
export { isLeftAddress, parseAnnouncements, type Announcements } from './addresses/announcements.ts'
export {
  finishQuietAgents,
  lockContatosOf,
  lockConversa,
  lockConversas,
  type LockedConversa,
  moveOpenConversas,
  openRehearsal,
  returnConversas,
} from './conversas.ts'
export {
  finishBotConversa,
  lockContato,
  type OpenConversa,
  openForOperador,
  readEnd,
  reopenForOperador,
} from './acts/open.ts'
export {
  updateFinished,
  updateReleased,
  updateTaken,
  updateTransferred,
  updateTransferredTo,
} from './acts/operador-acts.ts'
export { releaseUnanswered, updateAssigned } from './acts/assignment.ts'
export { takeProtocolos } from './acts/protocolos.ts'
export { updateExpectsAnswer } from './acts/expected-answer.ts'
export {
  type ConversaRow,
  conversaRowSchema,
  etiquetasSql,
  findAttendedConversa,
  readAttendedConversas,
  findJanela,
  findOpenAttended,
  findServed,
  selectConversas,
  type ServedConversa,
  toConversas,
} from './conversa-view.ts'
export {
  findQuoted,
  marksView,
  mensagemColumns,
  mensagemFromRow,
  type MensagemMarks,
  mensagemMarksSchema,
  mensagemRowSchema,
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
  storeMarks,
  withdrawBotMensagens,
} from './mensagens.ts'
export {
  advanceStates,
  applyChange,
  dropReaction,
  failOutboxItem,
  failWaiting,
  listExpiredContas,
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
  beginSends,
  listBehind,
  listOutboxIds,
  listOutboxRows,
  listStored,
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
  sumOldDay,
} from './daily-counters.ts'
export {
  type ClearedConversa,
  countFinishedConversas,
  countScheduledInFinished,
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
  audienceOfEnded,
  type ChangedConversa,
  type EndedConversa,
  mayReadRow,
  readable,
  readableSetor,
  readerValues,
  type AnyReader,
  SERVER_READER,
  situationColumns,
  situationRowSchema,
  situationsById,
  situationSql,
} from './readers.ts'
