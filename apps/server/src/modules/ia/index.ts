export { iaRoutes } from './routes.ts'
export { montarPedido } from './montar-pedido.ts'
export { registrarRespostaIa } from './registrar-resposta.ts'
