export { pendingTranscript, queueTranscripts } from './new-mensagens.ts'
export { Transcriber } from './transcriber.ts'
