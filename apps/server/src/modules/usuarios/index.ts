export { usageJob } from './hourly-numbers.ts'
export { usuariosRoutes } from './routes.ts'
