export { createOficialJournal } from './journal.ts'
export { clearTokenInUse } from './repository.ts'
export { oficialRoutes } from './routes.ts'
export { receiveWebhooks } from './webhook.ts'
