export function lerPedido(pedido: string): string {
  const lido = lerJson(pedido)
  return typeof lido === 'object' && lido !== null ? Object.values(lido).join(', ') : pedido
}

/** `{"produtos":[{"nome":"Bolo"}]}` → `1 produto: Bolo`. Anything else is returned unchanged. */
export function lerResultado(resultado: string): string {
  const lido = lerJson(resultado)
  if (typeof lido !== 'object' || lido === null || !('produtos' in lido) || !Array.isArray(lido.produtos))
    return resultado
  const nomes = lido.produtos.map((produto: unknown) =>
    typeof produto === 'object' && produto !== null && 'nome' in produto ? String(produto.nome) : '?',
  )
  if (nomes.length === 0) return 'Nenhum produto encontrado'
  return `${nomes.length === 1 ? '1 produto' : `${nomes.length} produtos`}: ${nomes.join(', ')}`
}

function lerJson(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch {
    return null
  }
}
