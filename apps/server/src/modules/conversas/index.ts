export { toCard } from './card.ts'
export {
  didPersonWrite,
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
  finishBotConversasOfLine,
  findLastLine,
  isVisitor,
  lockContato,
  type OpenConversa,
  openForOperador,
  readEnd,
  reopenForOperador,
  takeProtocolos,
} from './open.ts'
export {
  type ActedConversa,
  releaseUnanswered,
  updateAssigned,
  updateFinished,
  updateReleased,
  updateTaken,
  updateTransferred,
  updateTransferredTo,
} from './operador-acts.ts'
export { deleteOldActs, findLastAct, restoreBeforeAct } from './undo-act.ts'
export {
  type ConversaRow,
  conversaRowSchema,
  etiquetasSql,
  hasClaimedName,
  linhaSql,
  findAttendedConversa,
  findAttendedConversas,
  findOpenAttended,
  readListedConversas,
  selectConversasOfConta,
  toConversas,
} from './conversa-view.ts'
export { storeSummary } from './summary.ts'
export { findJanela, findServed, type ServedConversa } from './served.ts'
export { type ChangedRow, updateConversas } from './turn-changes.ts'
