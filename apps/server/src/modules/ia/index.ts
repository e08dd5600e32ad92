export { loadAccountContext, toBotContext, type AccountContext, type AccountContextDeps } from './account-context.ts'
export { iaRoutes } from './routes.ts'
export { buildAiRequest } from './build-ai-request.ts'
export { recordRespostaIa } from './record-resposta.ts'
