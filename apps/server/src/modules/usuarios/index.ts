export { usageJob } from './hourly-numbers.ts'
export { createProtocolVersions } from './protocol-version.ts'
export { usuariosRoutes } from './routes.ts'
export { readVapidKeys } from './vapid-keys.ts'
