export { usageJob } from './usage-job.ts'
export { usuariosRoutes } from './routes.ts'
