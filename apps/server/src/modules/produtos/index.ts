export { produtosRoutes } from './routes.ts'
export { listProdutosNamed } from './repository.ts'
