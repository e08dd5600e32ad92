/** Entry point of the browser tests and the benchmarks: the fakes that they share with the tests of the server. */
export { madePdf } from './fontes/made-files.ts'
export { createFakeGemini, type FakeGemini, VALID_KEY } from './ia/fake-gemini.ts'
export { type RecordedDatabase, recordStatements } from './recorded-database.ts'
export { storeMensagens } from './stored-mensagens.ts'
export { createPushService, type PushService } from './push/push-service.ts'
export { connectDirect } from '#db/nodes/direct-connection.ts'
export { findEmbedded } from '#db/embedded/supervisor.ts'
export { codeAt } from './auth/code-at.ts'
