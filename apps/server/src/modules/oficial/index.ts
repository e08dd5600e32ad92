export { createOficialJournal, deleteWebhookEventsOf } from './journal.ts'
export { clearTokenInUse, deleteOldEvents } from './repository.ts'
export { oficialRoutes } from './routes.ts'
export { receiveWebhooks } from './webhook.ts'
