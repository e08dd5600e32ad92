export { insertConsentimentos, type NewConsentimento, requireNoLegalHold, loadAviso } from './privacidade.ts'
export { eraseRestoredTitulares, restoredJob } from './erase-titular.ts'
export { lgpdRoutes } from './routes.ts'
