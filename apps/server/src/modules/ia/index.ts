export {
  channelOfLine,
  contextOfLine,
  isLineDeleted,
  loadAccountContext,
  toBotContext,
  type AccountContext,
  type AccountContextDeps,
  buildAiRequest,
} from './account-context.ts'
export { askGuarded, type GuardedAnswer } from './guarded-answer.ts'
export { iaLineColumns, iaLineSchema, isIaLine, type StoredIaLine, toIaLine } from './lines.ts'
export { iaRoutes } from './routes.ts'
export { addUsos, readMonth, tellMissedBudgets } from './budget.ts'
export { recordRespostasIa, type RecordRespostaInput, deleteOldRespostas, deleteRespostasOfFonte } from './respostas.ts'
export {
  type AwaitedQuestion,
  deleteQuestions,
  deleteQuestionsUntil,
  findAwaitedQuestions,
  insertQuestions,
  listOverdueQuestions,
  listQuestions,
  type NewQuestion,
  type PendingQuestion,
} from './questions.ts'
export { askDraftIa, loadDraftIa, type DraftIa, type IaTest, type TestIaDeps } from './test-ia.ts'
