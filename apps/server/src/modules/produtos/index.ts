export { produtosRoutes } from './routes.ts'
