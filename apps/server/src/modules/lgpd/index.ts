export { insertConsentimentos, type NewConsentimento, requireNoLegalHold, loadAviso } from './privacidade.ts'
export { eraseContato, type EraseDeps, eraseRestoredTitulares, restoredJob } from './erase-titular.ts'
export { lgpdRoutes } from './routes.ts'
