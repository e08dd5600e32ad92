export { heartbeatJob } from './heartbeat-job.ts'
export { sistemaRoutes } from './routes.ts'
