export { readLines } from './linhas.ts'
export { linhasRoutes } from './routes.ts'
export { lineSessionRoutes } from './session-routes.ts'
