export { contatosRoutes } from './routes.ts'
