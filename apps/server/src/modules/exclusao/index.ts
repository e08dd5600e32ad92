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
