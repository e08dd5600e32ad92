export { provasRoutes } from './routes.ts'
export { draftHash, requireExam } from './require-exam.ts'
export {
  type AskedProva,
  claimProva,
  correctGenerated,
  countUnsettled,
  countProvas,
  insertGenerated,
  listGenerated,
  listResults,
  lockProvas,
  readFacts,
  releaseProva,
  type StoredResult,
  storeResult,
} from './repository.ts'
