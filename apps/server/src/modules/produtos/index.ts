export { produtosRoutes } from './routes.ts'
export { listProdutos, listProdutosNamed, listProdutosOf } from './repository.ts'
export { lockProdutosToSell, returnStock, type SellableProduto, takeStock } from './stock.ts'
