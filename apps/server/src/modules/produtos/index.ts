export { produtosRoutes } from './routes.ts'
export { listProdutos, listProdutosNamed } from './repository.ts'
export { lockProdutosToSell, returnStock, type SellableProduto, takeStock } from './stock.ts'
