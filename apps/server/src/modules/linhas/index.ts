export { readLine, readLines } from './linhas.ts'
export { type LineFacts, listLineFacts } from './repository.ts'
export { linhasRoutes } from './routes.ts'
