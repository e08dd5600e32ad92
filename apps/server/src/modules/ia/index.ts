export { iaRoutes } from './routes.ts'
export { buildAiRequest } from './build-ai-request.ts'
export { recordRespostaIa } from './record-resposta.ts'
