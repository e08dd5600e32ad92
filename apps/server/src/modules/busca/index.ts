export { indexRound, searchIndexJob } from './task/index-job.ts'
export { searchRoutes } from './routes.ts'
