export { heartbeatJob } from './batimento.ts'
export { sistemaRoutes } from './routes.ts'
