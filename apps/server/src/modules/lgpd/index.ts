export { requireNoLegalHold, loadAviso } from './privacidade.ts'
export { eraseRestoredTitulares } from './reapagar.ts'
export { lgpdRoutes } from './routes.ts'
