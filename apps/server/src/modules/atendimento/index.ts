export { returnConversasToQueue } from './devolver-a-fila.ts'
export { atendimentoRoutes } from './routes.ts'
export { checkSend } from './conferir-envio.ts'
export { type SendDeps, sendMensagem, type SentMensagem } from './enviar-como-operador.ts'
