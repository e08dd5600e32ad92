export { deleteKeysMatching } from './keys-repository.ts'
export { markUnwanted } from './repository.ts'
export { botRoutes } from './routes.ts'
