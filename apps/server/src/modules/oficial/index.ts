export { createOficialJournal } from './diario.ts'
export { clearTokenInUse } from './repository.ts'
export { oficialRoutes } from './routes.ts'
export { receiveWebhooks } from './webhook.ts'
