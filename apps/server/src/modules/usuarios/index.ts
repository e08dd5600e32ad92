export { usageJob } from './registrador.ts'
export { usuariosRoutes } from './routes.ts'
