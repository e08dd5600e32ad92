export { DueWork, OFFLINE_MS, runEach } from './due-work.ts'
export {
  deleteDueTimers,
  deleteTimers,
  type DueTimer,
  listDueTimers,
  lockDueTimers,
  markNoticed,
  moveSilenceTimer,
  type PersonWrote,
  postponeTimer,
  recordPasses,
  setOpening,
  signalQueues,
  startReplyTimers,
  startSilences,
  takeContatoSignals,
  takeQueueSignals,
  undoPass,
} from './repository.ts'
export { lockDueSummary, moveSummary, skipDueSummaries } from './summaries.ts'
