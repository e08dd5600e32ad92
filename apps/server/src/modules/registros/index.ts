export { registrosRoutes } from './routes.ts'
