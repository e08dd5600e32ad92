export { conversasRoutes } from './routes.ts'
