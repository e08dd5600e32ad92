export { usageJob } from './hourly-numbers.ts'
export { usuariosRoutes } from './routes.ts'
export { readVapidKeys } from './vapid-keys.ts'
