export { readLine, readLines } from './linhas.ts'
export { type LineFacts, listLineFacts, readMainLine } from './repository.ts'
export { linhasRoutes } from './routes.ts'
