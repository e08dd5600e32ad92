export { searchIndexJob } from './index-job.ts'
export { searchRoutes } from './routes.ts'
