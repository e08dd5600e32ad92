export { exigirSemGuarda, loadAviso } from './privacidade.ts'
export { reapagarTitulares } from './reapagar.ts'
export { lgpdRoutes } from './routes.ts'
