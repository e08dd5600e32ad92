export { finishQuietAgentConversas } from './conversa/finish-quiet-agents.ts'
export { returnConversasToQueue } from './conversa/return-to-queue.ts'
export { atendimentoRoutes } from './routes.ts'
export { checkSend, type SendDeps, sendMensagem, type SentMensagem } from './envio/send-mensagens.ts'
