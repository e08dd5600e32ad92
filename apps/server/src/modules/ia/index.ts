export { loadAccountContext, toBotContext, type AccountContext, type AccountContextDeps } from './account-context.ts'
export { iaRoutes } from './routes.ts'
export { buildAiRequest } from './build-ai-request.ts'
export { recordRespostasIa, type RecordRespostaInput } from './record-resposta.ts'
export { deleteOldRespostas } from './repository.ts'
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
