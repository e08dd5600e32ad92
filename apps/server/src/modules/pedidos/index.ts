export { confirmPedidos } from './confirm-pedidos.ts'
export { listCupons } from './cupons.ts'
export { listPedidosOf } from './repository.ts'
export { pedidosRoutes } from './routes.ts'
