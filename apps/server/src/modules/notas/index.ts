export { storeNota } from './create-nota.ts'
export { deleteOldNotas } from './repository.ts'
export { notasRoutes } from './routes.ts'
