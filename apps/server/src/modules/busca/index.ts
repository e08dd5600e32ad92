export { searchRoutes } from './search.ts'
export { indexRound, searchIndexJob } from './task.ts'
