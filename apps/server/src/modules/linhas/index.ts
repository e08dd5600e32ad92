export { readLines } from './linhas.ts'
export { type LineFacts, listLineFacts } from './repository.ts'
export { linhasRoutes } from './routes.ts'
export { lineSessionRoutes } from './session-routes.ts'
