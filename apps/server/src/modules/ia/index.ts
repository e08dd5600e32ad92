export { iaRoutes } from './routes.ts'
export { buildAiRequest } from './montar-pedido.ts'
export { recordRespostaIa } from './registrar-resposta.ts'
