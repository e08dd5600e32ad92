export { storeNota } from './store-nota.ts'
export { deleteOldNotas } from './repository.ts'
export { notasRoutes } from './routes.ts'
