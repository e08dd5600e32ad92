export { returnConversasToQueue } from './conversa/return-to-queue.ts'
export { atendimentoRoutes } from './routes.ts'
export { checkSend } from './envio/check-send.ts'
export { type SendDeps, sendMensagem, type SentMensagem } from './envio/send-mensagens.ts'
