export { listPedidosOf } from './repository.ts'
export { pedidosRoutes } from './routes.ts'
