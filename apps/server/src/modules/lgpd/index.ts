export { insertConsentimentos, type NewConsentimento } from './consentimentos.ts'
export { requireNoLegalHold, loadAviso } from './privacidade.ts'
export { eraseRestoredTitulares, restoredJob } from './erase-restored.ts'
export { lgpdRoutes } from './routes.ts'
