export { type NewNota, type NotaDeps, storeNota } from './store-nota.ts'
export { notasRoutes } from './routes.ts'
