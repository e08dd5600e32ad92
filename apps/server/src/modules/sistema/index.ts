export { createBatimento } from './batimento.ts'
export { sistemaRoutes } from './routes.ts'
