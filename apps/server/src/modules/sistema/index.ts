export { sistemaRoutes } from './routes.ts'
